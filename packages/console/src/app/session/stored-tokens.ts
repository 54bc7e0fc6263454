/** Tokens of a sign-in. */
export interface StoredTokens {
  readonly access: string
  readonly refresh: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

const storageKey = 'sibyl-console'
/** Changes with each sign-out, for other tabs. */
const signedOutKey = 'sibyl-console-signed-out'
/** Starts of the keys of drafts, in the storage of each tab. */
const draftKeys = ['sibyl-form ', 'sibyl-console-draft ']

/** Returns the tokens that this browser has, for all its tabs. */
export const readTokens = (): StoredTokens | undefined => {
  try {
    const { access, refresh, expiresAt } = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<StoredTokens>
    const isWhole = typeof access === 'string' && typeof refresh === 'string' && typeof expiresAt === 'number'
    return isWhole ? { access, refresh, expiresAt } : undefined
  } catch {
    return undefined
  }
}

/** Stores the tokens; undefined removes them. */
export const writeTokens = (tokens: StoredTokens | undefined): void => {
  if (tokens === undefined) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, JSON.stringify(tokens))
}

/** Calls a listener when another tab signs in or out. Returns a function that ends this. */
export const onTokens = (listener: () => void): (() => void) => {
  const notify = (event: StorageEvent) => {
    if (event.key === storageKey || event.key === null) listener()
  }
  addEventListener('storage', notify)
  return () => removeEventListener('storage', notify)
}

/** Removes what the user began to write, in this tab and others. A sign-in that only ends keeps it. */
export const removeDrafts = (): void => {
  localStorage.setItem(signedOutKey, String(Date.now()))
  removeOwnDrafts()
}

/** Removes the drafts of this tab when the user signs out in another one. */
export const followSignOut = (): void =>
  addEventListener('storage', ({ key }) => {
    if (key === signedOutKey) removeOwnDrafts()
  })

const removeOwnDrafts = (): void => {
  for (const key of Object.keys(sessionStorage)) {
    if (draftKeys.some(start => key.startsWith(start))) sessionStorage.removeItem(key)
  }
}
