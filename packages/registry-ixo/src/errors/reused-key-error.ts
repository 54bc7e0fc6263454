import { ChainError } from './chain-error.ts'

/** The idempotency key came before, with another creation; nothing was sent. */
export class ReusedKeyError extends ChainError {
  readonly code = 'idempotency_key_reused'

  constructor() {
    super('The idempotency key stands for another creation, or for another account or chain. Use a new one.')
  }
}
