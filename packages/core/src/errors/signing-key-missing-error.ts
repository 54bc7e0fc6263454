import { OracleError } from '@sibyl/plugin'

/** A signature is required, and no signing mnemonic is loaded. */
export class SigningKeyMissingError extends OracleError {
  readonly code = 'signing_key_missing'
  override readonly status = 503

  constructor() {
    super('No signing mnemonic is loaded, so nothing can be signed. Set ORACLE_MNEMONIC to 12 or 24 words and restart.')
  }
}
