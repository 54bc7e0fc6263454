/** What an event says. */
export type EventContent = Readonly<Record<string, unknown>>

/** An event of a room, as the client-server API of Matrix has it. */
export interface MatrixEvent {
  readonly event_id: string
  readonly room_id: string
  readonly sender: string
  readonly type: string
  /** Milliseconds since 1970. */
  readonly origin_server_ts: number
  readonly content: EventContent
  /** Set on state, whose newest event by type and key counts. */
  readonly state_key?: string | undefined
  /** The event that this one takes back. */
  readonly redacts?: string
  readonly unsigned?: Readonly<Record<string, unknown>>
}

/** An event at its place among all changes of the homeserver. */
export interface StoredEvent {
  readonly seq: number
  event: MatrixEvent
  /** The device that sent it, and its own id for that. */
  readonly transaction?: { readonly userId: string; readonly deviceId: string; readonly id: string } | undefined
}

/** What makes an event; a homeserver adds the rest. */
export interface NewEvent {
  readonly type: string
  readonly sender: string
  readonly content: EventContent
  readonly state_key?: string | undefined
  readonly redacts?: string
  readonly origin_server_ts?: number
}

/** The key of a state event in a room's state. */
export const stateKey = (type: string, key = ''): string => `${type}|${key}`

/** An answer that is no success, in the form of Matrix. */
export class MatrixRefusal extends Error {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>

  /**
   * @param errcode undefined where there is no error yet, as in the first answer to a registration.
   * @param more Further members of the body, such as `retry_after_ms`.
   */
  constructor(
    status: number,
    errcode: string | undefined,
    error: string,
    more: Readonly<Record<string, unknown>> = {},
  ) {
    super(error)
    this.status = status
    this.body = errcode === undefined ? more : { errcode, error, ...more }
  }
}
