import { OracleError } from '@sibyl/plugin'

/** The running turn of a session did not end in time for a posted message. */
export class SessionBusyError extends OracleError {
  readonly code = 'session_busy'
  override readonly status = 503

  constructor() {
    super(
      'The message was not posted, because a turn of its session is still running. Post it again later with the same dedupeKey.',
    )
  }
}
