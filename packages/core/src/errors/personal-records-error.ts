import { OracleError } from '@sibyl/plugin'

/** Thrown by `host.people` when an export or erasure of personal data failed in part. */
export class PersonalRecordsError extends OracleError {
  readonly code = 'personal_records_failed'
  override readonly status = 503

  /**
   * @param what The requested operation.
   * @param parts The failed parts: `sessions`, or names of plugins.
   */
  constructor(what: 'export' | 'erase', parts: readonly string[]) {
    const done = what === 'export' ? 'exported' : 'erased'
    super(
      `The personal data was not completely ${done}: ${parts.join(', ')} failed. Try again later; the log has details.`,
      { parts },
    )
  }
}
