import { defineToolFailures, OracleError } from '@sibyl/plugin'
import { formatAmount, type Micro } from './amounts.ts'

/** A transaction was to be written whose lines do not sum to 0; nothing of it was. */
export class LedgerUnbalanced extends OracleError {
  readonly code = 'ledger_unbalanced'

  /** @param key of the transaction @param rest what its lines sum to */
  constructor(key: string, rest: Micro) {
    super(`The lines of the transaction '${key}' sum to ${formatAmount(rest)} instead of 0. Nothing was written.`)
  }
}

export const creditsErrors = defineToolFailures({
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key came with another grant before. Use a new one.',
  },
  credits_cursor_invalid: {
    status: 400,
    message: 'The cursor is none that a page gave. Send the `next` of a page, or none to begin anew.',
  },
})
