const keyOf = (sessionId: string) => `sibyl-console-draft ${sessionId}`

/** Stands for the session that does not exist yet: its id is another one after a reload. */
export const newSession = 'new'

/** Returns the text that the user began to write in this tab, or sent without an answer. */
export const readDraft = (sessionId: string): string => sessionStorage.getItem(keyOf(sessionId)) ?? ''

/** Stores the text until the oracle has taken it: a sign-in that ends meanwhile does not lose it. */
export const storeDraft = (sessionId: string, text: string): void => {
  if (text === '') sessionStorage.removeItem(keyOf(sessionId))
  else sessionStorage.setItem(keyOf(sessionId), text)
}
