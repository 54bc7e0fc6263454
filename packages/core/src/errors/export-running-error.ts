import { OracleError } from '@sibyl/plugin'

/** Thrown by `host.people.stream` while an export of the person, or two of others, run. */
export class ExportRunningError extends OracleError {
  readonly code = 'export_running'
  override readonly status = 429

  constructor() {
    super('Another export of personal data runs. Try again when it has ended.')
  }
}
