/** What `sibyl ussd` is called with. */
export interface UssdOptions {
  readonly url?: string
  /** E.164 with its plus. */
  readonly phone?: string
  /** Send what was typed last, not all of the session. */
  readonly last?: boolean
  readonly slow?: number
  readonly twice?: boolean
  /** Answers joined by `*`: type them, show the last screen and leave. */
  readonly once?: string
  readonly json?: boolean
  /** The file to write the sessions to. */
  readonly record?: string
  /** The file to play sessions from. */
  readonly replay?: string
}
