import { ChainError } from './chain-error.ts'

/** The account has no say over the entity; nothing was sent. */
export class NotControllerError extends ChainError {
  readonly code = 'not_controller'

  constructor(did: string, accountDid: string) {
    super(`${did} lists other controllers than ${accountDid}. Use the mnemonic that it was registered with.`)
  }
}
