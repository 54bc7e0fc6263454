import { verificationMethodId } from '@sibyl/plugin'
import type { DidDocument } from '@sibyl/protocol'

/** What the document of an oracle is made from. */
export interface OracleDocumentParts {
  /** The did:web. */
  readonly publicDid: string
  /** The did:key that it signs with; undefined without a signing mnemonic. */
  readonly did: string | undefined
  /** Every did:key that it has signed with. */
  readonly keys: readonly { readonly did: string }[]
  readonly publicUrl: string
}

/**
 * The DID document of an oracle's did:web (W3C DID Core 1.0). Keys that it no longer signs with stay in it for what they
 * have signed: as `assertionMethod`, and as nothing else.
 */
export const oracleDocument = ({ publicDid, did, keys, publicUrl }: OracleDocumentParts): DidDocument => {
  const retired = keys.map(key => key.did).filter(key => key !== did)
  const all = did === undefined ? retired : [did, ...retired]
  const current = did === undefined ? undefined : verificationMethodId(publicDid, did)
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
    id: publicDid,
    ...(did === undefined ? {} : { alsoKnownAs: [did] }),
    ...(all.length === 0
      ? {}
      : {
          verificationMethod: all.map(key => ({
            id: verificationMethodId(publicDid, key),
            type: 'Multikey' as const,
            controller: publicDid,
            publicKeyMultibase: key.slice('did:key:'.length),
          })),
          assertionMethod: all.map(key => verificationMethodId(publicDid, key)),
        }),
    ...(current === undefined ? {} : { authentication: [current], capabilityInvocation: [current] }),
    service: [{ id: `${publicDid}#oracle`, type: 'Oracle', serviceEndpoint: publicUrl }],
  }
}
