import { hash } from 'node:crypto'
import type { EntityEventRecord, JsonValue } from '@sibyl/protocol'
import canonicalize from 'canonicalize'

/** Facts that the hash of a link covers, in the form in which they are hashed. */
export interface LinkFacts {
  readonly did: string
  readonly version: number
  readonly kind: EntityEventRecord['kind']
  /** ISO 8601 with milliseconds, UTC. */
  readonly at: string
  /** The DID of who changed the entity. */
  readonly by: string
  readonly change: JsonValue
  /** Of the link before, in hex; empty for the first. */
  readonly previousHash: string
}

/** The hash of a link, in hex: SHA-256 over the canonical JSON (RFC 8785) of its facts. */
export const linkHash = ({ did, version, kind, at, by, change, previousHash }: LinkFacts): string =>
  hash('sha256', canonicalize({ did, version, kind, at, by, change, previousHash }) ?? '', 'hex')

/** Bytes in multibase base64url: `u…`. */
export const multibase = (bytes: Uint8Array): string => `u${Buffer.from(bytes).toString('base64url')}`

/** The bytes of a multibase base64url text; undefined for every other text. */
export const fromMultibase = (text: string): Uint8Array | undefined =>
  /^u[\w-]+$/.test(text) ? Buffer.from(text.slice(1), 'base64url') : undefined
