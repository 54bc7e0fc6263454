import { ChainError } from './chain-error.ts'

/** What the journal has under a key is not what was written there; nothing was sent. */
export class InvalidJournalError extends ChainError {
  readonly code = 'chain_journal_invalid'

  constructor() {
    super(
      'The journal has something else under the idempotency key than was written there. Look whether the entity is registered already; if not, use a new key.',
    )
  }
}
