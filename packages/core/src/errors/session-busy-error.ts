import { OracleError } from '@sibyl/plugin'

/** The turn that runs in a session did not end in time for a message that was to be posted there. */
export class SessionBusyError extends OracleError {
  readonly code = 'session_busy'
  override readonly status = 503

  constructor() {
    super(
      'The message was not posted, because a turn of its session is still running. Post it again later with the same dedupeKey.',
    )
  }
}
