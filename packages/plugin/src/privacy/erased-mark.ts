import { createHash } from 'node:crypto'

/**
 * Returns what stands for an erased person where a record has to stay, such as a line of a ledger or a link of a chain. It is
 * the same each time, so that limits and books still count by it, and nobody can tell the DID from it: a DID of a key has 256
 * bits of chance.
 */
export const erasedMark = (did: string): string =>
  `erased:${createHash('sha256').update(`sibyl erased ${did}`).digest('base64url')}`
