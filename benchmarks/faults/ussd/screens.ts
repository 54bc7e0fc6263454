/** Screen of a phone after an answer. */
export interface Screen {
  /** Whether the session goes on. */
  readonly goesOn: boolean
  readonly text: string
}

/** Text if the database does not accept the turn. */
export const unavailableText = 'Service temporarily unavailable. Please try again later.'

/** Text for an invalid request. */
export const invalidText = 'Invalid input. Please try again.'

/** Reads an answer in the interface specification's own form; undefined for what is neither CON nor END. */
export const readPlain = (body: string): Screen | undefined => {
  const [, kind, text] = /^(CON|END) ([\s\S]*)$/.exec(body) ?? []
  return kind === undefined || text === undefined ? undefined : { goesOn: kind === 'CON', text }
}

/** Parses a response in Hubtel's form; undefined if it is invalid. */
export const readHubtel = (body: string): Screen | undefined => {
  try {
    const { Type, Message } = JSON.parse(body) as { readonly Type?: string; readonly Message?: string }
    return typeof Message === 'string' ? { goesOn: Type === 'response', text: Message } : undefined
  } catch {
    return undefined
  }
}
