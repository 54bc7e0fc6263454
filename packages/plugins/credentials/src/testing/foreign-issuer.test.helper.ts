import { createSigningKey, type SigningKey } from '@sibyl/identity'
import { toBase58 } from '@sibyl/plugin'
import { credentialsContext, undefinedTermsContext } from '../contexts/known-contexts.ts'
import type { JsonObject } from '../definitions/json-object.ts'
import { jcsDigest } from '../proofs/jcs-digest.ts'
import { signDocument } from '../proofs/sign-document.ts'

/** Somebody who issues credentials under a did:key. */
export interface ForeignIssuer {
  readonly did: string
  readonly key: SigningKey
  readonly verificationMethod: string
  /** A credential that is good, with parts of another one in it. */
  issue(parts?: JsonObject, created?: number): Promise<JsonObject & { readonly proof: JsonObject }>
  /** A proof with options of one's own. */
  prove(document: JsonObject, options?: JsonObject): Promise<JsonObject>
}

/** Makes one. */
export const foreignIssuer = (key = createSigningKey()): ForeignIssuer => {
  const verificationMethod = `${key.did}#${key.did.slice('did:key:'.length)}`
  const documentOf = (parts: JsonObject): JsonObject => ({
    '@context': [credentialsContext, undefinedTermsContext],
    id: 'urn:uuid:5b0b3a5e-93d6-44f4-8b9f-35a1f7a5d0f1',
    type: ['VerifiableCredential', 'Certificate'],
    issuer: key.did,
    validFrom: '2026-01-01T00:00:00Z',
    credentialSubject: { id: 'did:web:somebody.example', level: 3 },
    ...parts,
  })
  return {
    did: key.did,
    key,
    verificationMethod,
    issue: async (parts = {}, created = Date.parse('2026-01-01T00:00:00Z')) =>
      (await signDocument(documentOf(parts), created, {
        verificationMethod,
        sign: bytes => key.sign(bytes),
      })) as JsonObject & { proof: JsonObject },
    async prove(document, options = {}) {
      const full: JsonObject = {
        type: 'DataIntegrityProof',
        cryptosuite: 'eddsa-jcs-2022',
        created: '2026-01-01T00:00:00Z',
        verificationMethod,
        proofPurpose: 'assertionMethod',
        ...options,
      }
      return { ...full, proofValue: `z${toBase58(await key.sign(jcsDigest(document, full)))}` }
    },
  }
}
