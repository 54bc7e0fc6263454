import { type DidDocument, isObject, parseJson } from '@sibyl/protocol'
import { multibaseOf, openKey } from '../proofs/public-keys.ts'

/** Returns the document of a did:jwk, or of a did:key with any supported key; undefined for others. */
export const keyDidDocument = (did: string): DidDocument | undefined => {
  const [, method, name = ''] = /^did:(key|jwk):([\w-]{1,1500})$/.exec(did) ?? []
  if (method === undefined) return undefined
  const publicKeyMultibase = method === 'key' ? name : multibaseOfName(name)
  if (publicKeyMultibase === undefined || !openKey(publicKeyMultibase)) return undefined
  const id = `${did}#${method === 'key' ? name : '0'}`
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
    id: did,
    verificationMethod: [{ id, type: 'Multikey', controller: did, publicKeyMultibase }],
    authentication: [id],
    assertionMethod: [id],
    capabilityInvocation: [id],
    capabilityDelegation: [id],
  }
}

const multibaseOfName = (name: string): string | undefined => {
  const jwk = parseJson(Buffer.from(name, 'base64url').toString('utf8'))
  return isObject(jwk) && jwk.use !== 'enc' ? multibaseOf(jwk) : undefined
}
