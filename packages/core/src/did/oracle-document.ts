import { verificationMethodId } from '@sibyl/plugin'
import type { DidDocument } from '@sibyl/protocol'

/** Input of the DID document of an oracle. */
export interface OracleDocumentParts {
  /** The did:web. */
  readonly publicDid: string
  /** The did:key of its signing key; undefined without a signing mnemonic. */
  readonly did: string | undefined
  /** Every did:key of its signing keys. */
  readonly keys: readonly { readonly did: string }[]
  readonly publicUrl: string
}

/**
 * Returns the DID document of the did:web of an oracle (W3C DID Core 1.0). Previous keys stay in it as
 * `assertionMethod` only, for their signatures.
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
