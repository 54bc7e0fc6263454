import { OracleError } from '@sibyl/plugin'

/** A plugin ran a turn before the oracle had booted. */
export class NotBootedError extends OracleError {
  readonly code = 'not_booted'
  override readonly status = 503

  constructor() {
    super(
      'Turns can run only after the oracle has booted. Start them in a tool, a route, a job or host.background, not in setup.',
    )
  }
}
