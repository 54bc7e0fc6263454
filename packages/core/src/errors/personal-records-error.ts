import { OracleError } from '@sibyl/plugin'

/** Thrown by `host.people` when a part of what is kept of a person could not be told, or could not be erased. */
export class PersonalRecordsError extends OracleError {
  readonly code = 'personal_records_failed'
  override readonly status = 503

  /**
   * @param what What was asked of them.
   * @param parts What failed: `sessions`, or names of plugins.
   */
  constructor(what: 'export' | 'erase', parts: readonly string[]) {
    const done = what === 'export' ? 'exported' : 'erased'
    super(
      `The personal data was not completely ${done}: ${parts.join(', ')} failed. Try again later; the log has details.`,
      { parts },
    )
  }
}
