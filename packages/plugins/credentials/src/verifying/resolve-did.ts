import { didKeyDocument, type HostIdentity } from '@sibyl/plugin'
import type { DidDocument, DidResolver } from '@sibyl/protocol'

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
