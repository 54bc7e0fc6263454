import { ChainError } from './chain-error.ts'

/** The account that would sign is not on the chain, or has less than the fee. */
export class AccountUnfundedError extends ChainError {
  readonly code = 'chain_account_unfunded'
  /** Whom to send funds: `ixo1…`. */
  readonly address: string

  /** @param lack `is not there yet`, `has 10uixo, and the fee is 5000uixo` */
  constructor(address: string, chainId: string, lack: string, denom: string) {
    super(`The account ${address} on ${chainId} ${lack}. Send it some ${denom}, and try again.`)
    this.address = address
  }
}
