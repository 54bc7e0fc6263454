import { verifySignature } from '@sibyl/plugin'
import type { LinkErasure } from '../storage/entities-tables.ts'
import { fromMultibase, type LinkFacts, linkHash } from './event-chain.ts'
import { erasureHolds } from './link-erasure.ts'

/** A link of a chain as any caller reads it. */
export interface ChainLink extends LinkFacts {
  /** SHA-256 over the link's facts, in hex. */
  readonly hash: string
  /** Ed25519 over the bytes of the hash, multibase base64url. */
  readonly signature: string
  /** The did:key that signed. */
  readonly signer: string
  /** Set on a link that says less than it did, because a person was erased. */
  readonly erasure?: LinkErasure
}

/** Verdict on the links of a chain. */
export interface ChainVerdict {
  readonly verified: boolean
  /** The first link that does not hold, and what of it. */
  readonly fault?: ChainFault
}

/** The part of a link that does not hold. */
export interface ChainFault {
  readonly version: number
  readonly check: 'version' | 'previousHash' | 'hash' | 'signer' | 'signature'
}

/** The link before the first one that is verified. */
export const chainStart: Pick<ChainLink, 'version' | 'hash'> = { version: 0, hash: '' }

/**
 * Verifies links of one chain in their order.
 *
 * @param before the link before the first of them, which is taken as good; `chainStart` for a whole chain
 * @param keys the did:keys that may have signed: those of the oracle's DID document
 */
export const verifyChain = (
  links: readonly ChainLink[],
  before: Pick<ChainLink, 'version' | 'hash'>,
  keys: ReadonlySet<string>,
): ChainVerdict => {
  let previous = before
  for (const link of links) {
    const check = faultOf(link, previous, keys)
    if (check) return { verified: false, fault: { version: link.version, check } }
    previous = link
  }
  return { verified: true }
}

const faultOf = (
  link: ChainLink,
  previous: Pick<ChainLink, 'version' | 'hash'>,
  keys: ReadonlySet<string>,
): ChainFault['check'] | undefined => {
  if (link.version !== previous.version + 1) return 'version'
  if (link.previousHash !== previous.hash) return 'previousHash'
  const isWhole = link.erasure ? erasureHolds(link, link.erasure, keys) : linkHash(link) === link.hash
  if (!isWhole) return 'hash'
  if (!keys.has(link.signer)) return 'signer'
  const signature = fromMultibase(link.signature)
  return signature && verifySignature(link.signer, Buffer.from(link.hash, 'hex'), signature) ? undefined : 'signature'
}
