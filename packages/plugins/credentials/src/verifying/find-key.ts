import { didKeyDocument, type Host } from '@sibyl/plugin'
import type { DidDocument, didResolver, ServiceOf } from '@sibyl/protocol'
import type { DataIntegrityProof } from '../proofs/data-integrity-proof.ts'
import { keyDidDocument } from './key-dids.ts'

/** A DID document, or why it is unavailable, safe to show. */
export type ResolvedDid = { readonly document: DidDocument } | { readonly fault: string }

/** Resolves a DID. */
export type ResolveDid = (did: string) => Promise<ResolvedDid>

/**
 * Creates the resolver of issuers: did:key, did:jwk, the oracle's own did:web, with the entities plugin the DIDs that it
 * resolves, and the did:web of others.
 */
export const createResolveDid =
  (
    identity: Pick<Host['identity'], 'publicDid' | 'document'>,
    resolver: ServiceOf<typeof didResolver> | undefined,
    resolveWeb?: ResolveDid,
  ): ResolveDid =>
  async did => {
    if (did === identity.publicDid) return { document: await identity.document() }
    const keyDocument = did.startsWith('did:key:z6Mk') ? undefined : keyDidDocument(did)
    if (keyDocument) return { document: keyDocument }
    const isOfOthers = did.startsWith('did:web:') && !did.startsWith(`${identity.publicDid}:`)
    if (resolver) {
      const { didDocument, didResolutionMetadata, didDocumentMetadata } = await resolver.resolve(did)
      if (didDocument) return { document: didDocument }
      if (didDocumentMetadata.deactivated) return { fault: `${did} is deactivated` }
      const { detail = `${did} cannot be resolved`, type = '' } = didResolutionMetadata.error ?? {}
      return resolveWeb && isOfOthers && type.endsWith('#FEATURE_NOT_SUPPORTED') ? resolveWeb(did) : { fault: detail }
    }
    if (resolveWeb && isOfOthers) return resolveWeb(did)
    const document = didKeyDocument(did)
    return document
      ? { document }
      : {
          fault: `only ${identity.publicDid}, did:web, and did:key and did:jwk with a supported key can be resolved here`,
        }
  }

/** The key that a proof names, as multibase, or why it may not be used, safe to show. */
export type FoundKey = { readonly publicKeyMultibase: string } | { readonly fault: string }

/**
 * Finds the key of a proof in the document of its issuer. It must be the issuer's own key, under `assertionMethod`.
 *
 * @param document DID document of the issuer
 */
export const findKey = (
  document: DidDocument,
  { verificationMethod }: Pick<DataIntegrityProof, 'verificationMethod'>,
): FoundKey => {
  const method = document.verificationMethod?.find(({ id }) => id === verificationMethod)
  if (!method) return { fault: `the document of ${document.id} has no key ${verificationMethod}` }
  if (!document.assertionMethod?.includes(method.id)) {
    return { fault: `the key ${method.id} is not listed under assertionMethod` }
  }
  if (method.controller !== document.id) return { fault: `the key ${method.id} has another controller` }
  if (method.type !== 'Multikey') return { fault: `the key ${method.id} is not a Multikey` }
  return { publicKeyMultibase: method.publicKeyMultibase }
}

/** The oracle's own keys and issued credentials. */
export interface OwnKeys {
  readonly identity: Pick<Host['identity'], 'publicDid' | 'verificationMethod' | 'keys'>
  /** Returns whether the oracle has issued a credential with that id and that proof. */
  readonly isIssued: (id: string, proofValue: string) => Promise<boolean>
}

/**
 * Returns why a proof by a retired key is rejected; undefined if it is accepted. The proof states its own creation
 * time, so the credential must also be stored here: a stolen key can sign with an earlier date.
 */
export const retirementViolation = async (
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
    return `the key was retired at ${retired}, before the proof was made`
  }
  if (credentialId === undefined || !(await isIssued(credentialId, proof.proofValue))) {
    return `the key was retired at ${retired}, and the oracle has not issued this credential`
  }
  return undefined
}
