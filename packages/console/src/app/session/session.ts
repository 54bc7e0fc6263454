import type { AccessTokens } from '../api/api-client.ts'
import type { ConsoleBase } from '../api/console-base.ts'
import { Problem } from '../api/problem.ts'
import { refreshTokens, revokeTokens } from './oauth.ts'
import { followSignOut, onTokens, readTokens, removeDrafts, type StoredTokens, writeTokens } from './stored-tokens.ts'

/** The sign-in of this browser. */
export interface Session extends AccessTokens {
  readonly isSignedIn: boolean
  start(tokens: StoredTokens): void
  /** Ends the sign-in, here and at the oracle. */
  end(): Promise<void>
  /** Calls a listener when the sign-in starts or ends, in this tab or another. Returns a function that ends this. */
  subscribe(listener: () => void): () => void
}

/** A token is replaced this many milliseconds before it expires. */
const marginMs = 30_000

/** Creates the session. Tabs share the tokens, and one of them at a time refreshes them: a refresh token is valid once. */
export const createSession = (base: ConsoleBase): Session => {
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  onTokens(notify)
  followSignOut()
  const change = (tokens: StoredTokens | undefined): void => {
    writeTokens(tokens)
    notify()
  }
  const refresh = (rejected: string | undefined): Promise<string | undefined> =>
    navigator.locks.request('sibyl-console-refresh', async () => {
      const tokens = readTokens()
      if (tokens === undefined) return undefined
      if (tokens.access !== rejected && tokens.expiresAt - marginMs > Date.now()) return tokens.access
      try {
        const next = await refreshTokens(base, tokens.refresh)
        writeTokens(next)
        return next.access
      } catch (error) {
        if (!(error instanceof Problem) || error.status < 400 || error.status === 429 || error.status >= 500)
          throw error
        change(undefined)
        return undefined
      }
    })
  return {
    get isSignedIn() {
      return readTokens() !== undefined
    },
    start: change,
    async end() {
      const tokens = readTokens()
      change(undefined)
      removeDrafts()
      if (tokens) await revokeTokens(base, tokens.refresh).catch(() => undefined)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    accessToken(rejected) {
      const tokens = readTokens()
      if (tokens && tokens.access !== rejected && tokens.expiresAt - marginMs > Date.now())
        return Promise.resolve(tokens.access)
      return refresh(rejected)
    },
  }
}
