import { didKeyDocument, type HostIdentity } from '@sibyl/plugin'
import type { DidDocument, DidResolver } from '@sibyl/protocol'
import type { DataIntegrityProof } from '../proofs/data-integrity-proof.ts'

/** A DID's document, or why there is none, safe to show. */
export type ResolvedDid = { readonly document: DidDocument } | { readonly fault: string }

/** Resolves a DID without a network. */
export type ResolveDid = (did: string) => Promise<ResolvedDid>

/** Makes the resolver of issuers: did:key and the oracle's own did:web; with the entities plugin, what its resolver knows. */
export const createResolveDid =
  (identity: Pick<HostIdentity, 'publicDid' | 'document'>, resolver: DidResolver | undefined): ResolveDid =>
  async did => {
    if (did === identity.publicDid) return { document: await identity.document() }
    if (resolver) {
      const { didDocument, didResolutionMetadata, didDocumentMetadata } = await resolver.resolve(did)
      if (didDocument) return { document: didDocument }
      if (didDocumentMetadata.deactivated) return { fault: `${did} is deactivated` }
      return { fault: didResolutionMetadata.error?.detail ?? `${did} cannot be resolved` }
    }
    const document = didKeyDocument(did)
    return document
      ? { document }
      : { fault: `of DIDs, did:key with an Ed25519 key and ${identity.publicDid} are resolved here` }
  }

/** The key that a proof names, as multibase, or why it may not be used, safe to show. */
export type FoundKey = { readonly publicKeyMultibase: string } | { readonly fault: string }

/**
 * Finds the key of a proof in the document of its issuer: it must be the issuer's own, under `assertionMethod`.
 *
 * @param document of the issuer's DID
 */
export const findKey = (document: DidDocument, { verificationMethod }: DataIntegrityProof): FoundKey => {
  const method = document.verificationMethod?.find(({ id }) => id === verificationMethod)
  if (!method) return { fault: `the document of ${document.id} has no key ${verificationMethod}` }
  if (!document.assertionMethod?.includes(method.id)) {
    return { fault: `the key ${method.id} is not one for assertions (assertionMethod)` }
  }
  if (method.controller !== document.id) return { fault: `the key ${method.id} is controlled by somebody else` }
  if (method.type !== 'Multikey' || !method.publicKeyMultibase.startsWith('z6Mk')) {
    return { fault: `the key ${method.id} is no Ed25519 Multikey` }
  }
  return { publicKeyMultibase: method.publicKeyMultibase }
}

/** What is known of the oracle's own keys and credentials. */
export interface OwnKeys {
  readonly identity: Pick<HostIdentity, 'publicDid' | 'verificationMethod' | 'keys'>
  /** Whether the oracle has issued a credential of that id, with that proof. */
  readonly isIssued: (id: string, proofValue: string) => Promise<boolean>
}

/**
 * Why a key that the oracle has retired does not count for a proof; undefined where it does. A proof says itself when it was
 * made, so that besides the credential must be one that is kept here: who stole an old key can date back.
 */
export const retirementFault = async (
  publicKeyMultibase: string,
  proof: DataIntegrityProof,
  credentialId: string | undefined,
  { identity, isIssued }: OwnKeys,
): Promise<string | undefined> => {
  if (proof.verificationMethod === identity.verificationMethod) return undefined
  const key = (await identity.keys()).find(({ did }) => did === `did:key:${publicKeyMultibase}`)
  if (key?.until === undefined) return undefined
  const retired = new Date(key.until).toISOString()
  if (proof.created === undefined || Date.parse(proof.created) > key.until) {
    return `the key was retired at ${retired}, and the proof is not from before`
  }
  if (credentialId === undefined || !(await isIssued(credentialId, proof.proofValue))) {
    return `the key was retired at ${retired}, and the oracle has issued no such credential with it`
  }
  return undefined
}
