import type { OracleRecord } from '@sibyl/protocol'

/** What a request may ask for; routes of plugins have abilities of their own, such as `memory/read`. */
export type Ability = 'chat/send' | 'session/read' | 'session/delete' | 'auth/token' | `${string}/${string}`

/** How a client proves who asks. */
export interface Credentials {
  /**
   * The token for one request.
   *
   * @param ability What the request asks for.
   * @param oracle Whom it goes to; the expected one, where the client expects one.
   */
  tokenFor(ability: Ability, oracle: OracleRecord): Promise<string>
  /** Called when the oracle knows the token no longer; tells whether there can be another. */
  renew(): boolean
}
