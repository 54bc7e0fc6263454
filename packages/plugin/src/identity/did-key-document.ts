import { publicKeyFromDid } from '@sibyl/identity'
import type { DidDocument } from '@sibyl/protocol'

/**
 * Returns the DID document of a did:key of an Ed25519 key, with that key as a Multikey (the did:key method, v0.9).
 *
 * @param did any text
 * @returns undefined when it is not such a DID
 */
export const didKeyDocument = (did: string): DidDocument | undefined => {
  if (!publicKeyFromDid(did)) return undefined
  const method = verificationMethodId(did, did)
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
    id: did,
    verificationMethod: [
      { id: method, type: 'Multikey', controller: did, publicKeyMultibase: did.slice('did:key:'.length) },
    ],
    authentication: [method],
    assertionMethod: [method],
    capabilityInvocation: [method],
    capabilityDelegation: [method],
  }
}

/** Returns the DID URL of a did:key in the document of another DID: `did:web:example.org#z6Mk…`. */
export const verificationMethodId = (subject: string, keyDid: string): string =>
  `${subject}#${keyDid.slice('did:key:'.length)}`
