import { OracleError } from '@sibyl/plugin'

/** An entity cannot be built as it was: more changes lead there than are replayed, and no snapshot of them can be kept. */
export class HistoryTooLong extends OracleError {
  readonly code = 'history_too_long'
  override readonly status = 422

  constructor() {
    super('Too many bytes of changes lead to that state. Read the changes themselves: GET /v1/entities/{did}/history.')
  }
}
