import { verifySignature } from '@sibyl/plugin'
import type { LinkErasure } from '../storage/entities-tables.ts'
import { fromMultibase, type LinkFacts, linkHash } from './event-chain.ts'
import { erasureHolds } from './link-erasure.ts'

/** A link of a chain for any reader. */
export interface ChainLink extends LinkFacts {
  /** SHA-256 over the link's facts, in hex. */
  readonly hash: string
  /** Ed25519 over the bytes of the hash, multibase base64url. */
  readonly signature: string
  /** The did:key that signed. */
  readonly signer: string
  /** Set if content was erased together with a person's data. */
  readonly erasure?: LinkErasure
}

/** Verdict on the links of a chain. */
export interface ChainVerdict {
  readonly verified: boolean
  /** The first invalid link and its problem. */
  readonly fault?: ChainViolation
}

/** The invalid part of a link. */
export interface ChainViolation {
  readonly version: number
  readonly check: 'version' | 'previousHash' | 'hash' | 'signer' | 'signature'
}

/** The link before the first verified one. */
export const chainStart: Pick<ChainLink, 'version' | 'hash'> = { version: 0, hash: '' }

/**
 * Verifies links of one chain in order.
 *
 * @param before the link before the first of them, which is trusted; `chainStart` for a whole chain
 * @param keys the did:keys that may have signed: those of the oracle's DID document
 */
export const verifyChain = (
  links: readonly ChainLink[],
  before: Pick<ChainLink, 'version' | 'hash'>,
  keys: ReadonlySet<string>,
): ChainVerdict => {
  let previous = before
  for (const link of links) {
    const check = violationOf(link, previous, keys)
    if (check) return { verified: false, fault: { version: link.version, check } }
    previous = link
  }
  return { verified: true }
}

const violationOf = (
  link: ChainLink,
  previous: Pick<ChainLink, 'version' | 'hash'>,
  keys: ReadonlySet<string>,
): ChainViolation['check'] | undefined => {
  if (link.version !== previous.version + 1) return 'version'
  if (link.previousHash !== previous.hash) return 'previousHash'
  const isWhole = link.erasure ? erasureHolds(link, link.erasure, keys) : linkHash(link) === link.hash
  if (!isWhole) return 'hash'
  if (!keys.has(link.signer)) return 'signer'
  const signature = fromMultibase(link.signature)
  return signature && verifySignature(link.signer, Buffer.from(link.hash, 'hex'), signature) ? undefined : 'signature'
}
