import { OracleError } from '@sibyl/plugin'

/** An entity cannot be built as it was: more changes lead there than are replayed, and no snapshot of them can be kept. */
export class HistoryTooLong extends OracleError {
  readonly code = 'history_too_long'
  override readonly status = 422

  constructor() {
    super('Too many bytes of changes lead to that state. Read the changes themselves: GET /v1/entities/{did}/history.')
  }
}

/** An entity cannot be built as it was by one request; what this one replayed is kept as snapshots. */
export class HistoryUnfinished extends OracleError {
  readonly code = 'history_unfinished'
  override readonly status = 503

  constructor() {
    super('That state takes more than one request to build. The part that was built is stored: send the request again.')
  }
}
