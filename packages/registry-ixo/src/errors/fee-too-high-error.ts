import { ChainError } from './chain-error.ts'

/** The node asks for more gas than is allowed; nothing was signed. */
export class FeeTooHighError extends ChainError {
  readonly code = 'chain_fee_too_high'

  constructor(gas: number, mostGas: number) {
    super(
      `The node says that this takes ${gas} gas, and at most ${mostGas} is allowed. Raise mostGas if that is right.`,
    )
  }
}
