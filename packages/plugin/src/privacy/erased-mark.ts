import { createHash } from 'node:crypto'

/**
 * Returns the mark of an erased person for a record that has to stay, such as a line of a ledger or a link of a chain.
 * It is deterministic, so that limits and ledgers still work, and does not reveal the DID: a DID of a key has 256 bits
 * of entropy.
 */
export const erasedMark = (did: string): string =>
  `erased:${createHash('sha256').update(`sibyl erased ${did}`).digest('base64url')}`
