import type { Ability, Credentials } from './credentials.ts'

/** The scopes of a bearer of this client besides chat. */
export const sessionScopes = ['session/read', 'session/delete'] as const satisfies readonly Ability[]

/** The lifetime of a bearer, and the time before its expiry at which the next one is fetched, in milliseconds. */
const lifetimeMs = 900_000
const marginMs = 60_000

/**
 * One bearer for many requests, exchanged at first, before it expires, and when the oracle rejects it.
 *
 * @param exchange Returns a bearer for chat and `sessionScopes`.
 */
export const exchangedCredentials = (exchange: () => Promise<{ readonly token: string }>): Credentials => {
  let held: { readonly token: Promise<string>; readonly until: number } | undefined
  const hold = () => {
    const fetched = {
      token: exchange().then(({ token }) => token),
      until: performance.now() + lifetimeMs - marginMs,
    }
    fetched.token.catch(() => {
      if (held === fetched) held = undefined
    })
    held = fetched
    return fetched
  }
  return {
    tokenFor: () => (held && performance.now() < held.until ? held : hold()).token,
    renew() {
      held = undefined
      return true
    },
  }
}
