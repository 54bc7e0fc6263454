import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'

// The packages have no types and are development dependencies of the plugin that they are compared with.
const load = createRequire(new URL('../../packages/plugins/credentials/package.json', import.meta.url))
const { DataIntegrityProof } = load('@digitalbazaar/data-integrity')
const Ed25519Multikey = load('@digitalbazaar/ed25519-multikey')
const jcs = load('@digitalbazaar/eddsa-jcs-2022-cryptosuite')
const rdfc = load('@digitalbazaar/eddsa-rdfc-2022-cryptosuite')
const vc = load('@digitalbazaar/vc')
const { contexts } = load('@digitalbazaar/credentials-context') as { contexts: ReadonlyMap<string, object> }

interface Document {
  readonly id: string
  readonly verificationMethod?: readonly { readonly id: string }[]
}

/** Serves contexts, DID documents and the keys in them, and nothing else. */
const loaderOf = (documents: readonly Document[]) => async (url: string) => {
  const methods = documents.flatMap(({ verificationMethod = [] }) => verificationMethod)
  const method = methods.find(({ id }) => id === url)
  const key = method && { '@context': 'https://w3id.org/security/multikey/v1', ...method }
  const document = contexts.get(url) ?? documents.find(({ id }) => id === url) ?? key
  if (document === undefined) throw new Error(`${url} is not known here`)
  return { contextUrl: null, documentUrl: url, document }
}

/**
 * Whether `@digitalbazaar/vc` accepts a credential, its status apart. Of what Sibyl verifies `eddsa-jcs-2022` with it shares
 * nothing but the author of `canonicalize`, of which it has an older, different version.
 */
export const verifyElsewhere = async (credential: unknown, documents: readonly Document[]): Promise<boolean> => {
  const suite = new DataIntegrityProof({ cryptosuite: jcs.createVerifyCryptosuite() })
  const documentLoader = loaderOf(documents)
  const checkStatus = async () => ({ verified: true })
  const { verified } = await vc.verifyCredential({
    credential: structuredClone(credential),
    suite,
    documentLoader,
    checkStatus,
  })
  return verified
}

/** A credential that `@digitalbazaar/vc` issues under a new did:key. */
export const issueElsewhere = async (
  name: 'eddsa-jcs-2022' | 'eddsa-rdfc-2022',
): Promise<{ readonly credential: unknown }> => {
  const pair = await Ed25519Multikey.generate({ seed: randomBytes(32) })
  const { publicKeyMultibase } = await pair.export({ publicKey: true })
  pair.controller = `did:key:${publicKeyMultibase}`
  pair.id = `${pair.controller}#${publicKeyMultibase}`
  const cryptosuite = name === 'eddsa-jcs-2022' ? jcs.createSignCryptosuite() : rdfc.cryptosuite
  const credential = await vc.issue({
    credential: {
      '@context': ['https://www.w3.org/ns/credentials/v2', 'https://www.w3.org/ns/credentials/undefined-terms/v2'],
      id: 'urn:uuid:5b0b3a5e-93d6-44f4-8b9f-35a1f7a5d0f1',
      type: ['VerifiableCredential', 'Certificate'],
      issuer: pair.controller,
      validFrom: '2026-01-01T00:00:00Z',
      credentialSubject: { id: 'did:web:somebody.example', meals: 32, fuel: 'pellets' },
    },
    suite: new DataIntegrityProof({ signer: pair.signer(), cryptosuite }),
    documentLoader: loaderOf([]),
  })
  return { credential }
}
