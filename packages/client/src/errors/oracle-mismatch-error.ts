import { ClientError } from './client-error.ts'

/** The address answers under another DID than the one that was expected. No token was sent. */
export class OracleMismatchError extends ClientError {
  readonly code = 'oracle_mismatch'
  /** The DID that was expected. */
  readonly expected: string
  /** The DIDs that the address gave. */
  readonly found: readonly string[]

  constructor(url: string, expected: string, found: readonly string[]) {
    super(`${url} is ${found.join(' and ')}, not ${expected}. If the oracle has a new key, expect the new DID.`)
    this.expected = expected
    this.found = found
  }
}
