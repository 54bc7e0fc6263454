import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** SHA-256 in hex over the canonical JSON (RFC 8785) of a value. */
export const contentHash = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? 'null')
    .digest('hex')
