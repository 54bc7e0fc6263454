import type { OracleRecord } from '@sibyl/protocol'

/** The ability of a request; routes of plugins have their own, such as `memory/read`. */
export type Ability = 'chat/send' | 'session/read' | 'session/delete' | 'auth/token' | `${string}/${string}`

/** The authentication of a client. */
export interface Credentials {
  /**
   * The token for one request.
   *
   * @param ability What the request asks for.
   * @param oracle Whom it goes to; the expected one, where the client expects one.
   * @param hasAgentAct Whether the agent acts for the caller in answer to the request, so that its tools need rights as well.
   */
  tokenFor(ability: Ability, oracle: OracleRecord, hasAgentAct: boolean): Promise<string>
  /** Called when the oracle rejects the token; returns whether there can be another. */
  renew(): boolean
}
