import type { BearerRecord } from '@sibyl/protocol'
import type { Ability, Credentials } from './credentials.ts'

/** What a bearer of this client is for beside chatting. */
export const sessionScopes = ['session/read', 'session/delete'] as const satisfies readonly Ability[]

/** How long a bearer lives, and how long before its end the next one is fetched, in milliseconds. */
const lifetimeMs = 900_000
const marginMs = 60_000

/**
 * One bearer for many requests, exchanged when there is none, when its end is near, and when the oracle knows it no
 * longer.
 *
 * @param exchange Gives a bearer for chatting and with `sessionScopes`.
 */
export const exchangedCredentials = (exchange: () => Promise<BearerRecord>): Credentials => {
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
