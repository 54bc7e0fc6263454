/** The tables of this room. */
export interface SessionTables {
  ussd_sessions: SessionTable
}

/** One session to a row. What was typed and shown, and whose phone it is, stand in it sealed. */
export interface SessionTable {
  /** A keyed hash over provider, session id, phone number and base service code. */
  readonly key: string
  readonly session_id: string
  readonly provider: string
  /** The base code, without what was dialled behind it. */
  readonly service_code: string
  /** Sealed for `ussd_sessions.phone:<key>`. */
  readonly phone: string
  /** A keyed hash over provider, phone number and base service code; null where no call may be resumed. */
  readonly caller: string | null
  /** A `SessionRecord`, sealed for `ussd_sessions.state:<key>`. */
  readonly state: string
  readonly status: SessionStatus
  /** Counts the moves: who writes move n must have seen n - 1. */
  readonly version: number
  readonly born_at: number
  /** When the person did something last. */
  readonly updated_at: number
  readonly expires_at: number
  /** Until when the process that runs this session's action is taken to be alive; null while none runs. */
  readonly run_until: number | null
}

/** `ended`: the flow or the person ended it; `dropped`: the network did, or another call took it over. */
export type SessionStatus = 'active' | 'ended' | 'dropped'
