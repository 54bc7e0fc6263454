import type { OracleRecord } from '@sibyl/protocol'

/** The ability of a request; routes of plugins have their own, such as `memory/read`. */
export type Ability = 'chat/send' | 'session/read' | 'session/delete' | 'auth/token' | `${string}/${string}`

/** Rights that a request uses besides its ability, as far as the caller holds them: of the agent in a turn, or to read files. */
export type UsedRights = 'agent' | 'files'

/** The authentication of a client. */
export interface Credentials {
  /**
   * The token for one request.
   *
   * @param ability What the request asks for.
   * @param oracle Whom it goes to; the expected one, where the client expects one.
   */
  tokenFor(ability: Ability, oracle: OracleRecord, uses?: UsedRights): Promise<string>
  /** Called when the oracle rejects the token; returns whether there can be another. */
  renew(): boolean
}
