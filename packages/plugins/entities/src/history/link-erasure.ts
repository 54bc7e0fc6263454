import { hash } from 'node:crypto'
import { type Host, verifySignature } from '@sibyl/plugin'
import canonicalize from 'canonicalize'
import type { LinkErasure } from '../storage/entities-tables.ts'
import { fromMultibase, type LinkFacts, multibase } from './event-chain.ts'

/** A link whose content was erased, with the hash of its original content. */
export interface ErasedLink extends LinkFacts {
  readonly hash: string
}

/** Distinct from the 32 bytes that links are signed over, so that the two kinds of signatures cannot be confused. */
const prefix = Buffer.from('sibyl erased link\0')

const signedBytes = (
  { did, version, kind, at, by, change, previousHash, hash: original }: ErasedLink,
  erasedAt: string,
): Buffer => {
  const facts = { did, version, kind, at, by, change, previousHash, hash: original, erasedAt }
  return Buffer.concat([prefix, Buffer.from(hash('sha256', canonicalize(facts) ?? '', 'hex'), 'hex')])
}

/**
 * Signs a link in its erased form. Its own hash and signature do not change, so that the chain stays valid.
 *
 * @throws `signing_key_missing`
 */
export const signErasure = async (
  identity: Pick<Host['identity'], 'did' | 'sign'>,
  link: ErasedLink,
  at: number,
): Promise<LinkErasure> => {
  const erasedAt = new Date(at).toISOString()
  const signature = multibase(await identity.sign(signedBytes(link, erasedAt)))
  return { at: erasedAt, signature, signer: identity.did ?? '' }
}

/** Returns whether one of the keys signed the link in its erased form. */
export const erasureHolds = (link: ErasedLink, erasure: LinkErasure, keys: ReadonlySet<string>): boolean => {
  const signature = fromMultibase(erasure.signature)
  if (!signature || !keys.has(erasure.signer)) return false
  return verifySignature(erasure.signer, signedBytes(link, erasure.at), signature)
}
