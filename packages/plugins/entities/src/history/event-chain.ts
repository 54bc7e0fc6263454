import { hash } from 'node:crypto'
import type { JsonValue } from '@sibyl/protocol'
import canonicalize from 'canonicalize'
import type { EntityEventRecord } from '../records/history-records.ts'

/** Facts that the hash of a link covers, in hashed form. */
export interface LinkFacts {
  readonly did: string
  readonly version: number
  readonly kind: EntityEventRecord['kind']
  /** ISO 8601 with milliseconds, UTC. */
  readonly at: string
  /** DID of the writer. */
  readonly by: string
  readonly change: JsonValue
  /** Hash of the previous link, in hex; empty for the first. */
  readonly previousHash: string
}

/** Returns the hash of a link, in hex: SHA-256 over the canonical JSON (RFC 8785) of its facts. */
export const linkHash = ({ did, version, kind, at, by, change, previousHash }: LinkFacts): string =>
  hash('sha256', canonicalize({ did, version, kind, at, by, change, previousHash }) ?? '', 'hex')

/** Encodes bytes in multibase base64url: `u…`. */
export const multibase = (bytes: Uint8Array): string => `u${Buffer.from(bytes).toString('base64url')}`

/** Decodes multibase base64url text; undefined if it is invalid. */
export const fromMultibase = (text: string): Uint8Array | undefined =>
  /^u[\w-]+$/.test(text) ? Buffer.from(text.slice(1), 'base64url') : undefined
