import { createRequire } from 'node:module'
import type { SigningKey } from '@sibyl/identity'
import { toBase58 } from '@sibyl/plugin'
import { loadBundledContext } from '../contexts/known-contexts.ts'
import type { JsonObject } from '../definitions/json-object.ts'

const load = createRequire(import.meta.url)
const { DataIntegrityProof } = load('@digitalbazaar/data-integrity')
const Ed25519Multikey = load('@digitalbazaar/ed25519-multikey')
const jcs = load('@digitalbazaar/eddsa-jcs-2022-cryptosuite')
const rdfc = load('@digitalbazaar/eddsa-rdfc-2022-cryptosuite')
const vc = load('@digitalbazaar/vc')
const statusLists = load('@digitalbazaar/vc-bitstring-status-list')

/** What the other library says. */
export interface OtherVerdict {
  readonly verified: boolean
  /** The purposes of the status lists in which the credential's place is set. */
  readonly set: readonly string[]
  readonly error: string | undefined
}

/**
 * The other library: the stack of `@digitalbazaar/vc`. Its signatures are those of `@noble/ed25519`, its canonical JSON that
 * of an older `canonicalize`; base58 and the rest of Data Integrity are its own. With `eddsa-rdfc-2022` it shares `jsonld`
 * and `rdf-canonize` with this plugin, and the contexts with both.
 */
export const otherLibrary = {
  /** Verifies a credential, with its status list. @param documents by URL: DID documents and status lists */
  async verify(credential: unknown, documents: ReadonlyMap<string, object>): Promise<OtherVerdict> {
    const documentLoader = loaderOf(documents)
    const suite = [jcs, rdfc].map(one => new DataIntegrityProof({ cryptosuite: suiteOf(one, 'Verify') }))
    const result = await vc.verifyCredential({
      credential: structuredClone(credential),
      suite,
      documentLoader,
      checkStatus: (options: object) => statusLists.checkStatus({ ...options, documentLoader, suite }),
    })
    const { verified, statusResult, error } = result
    const errors = [error, ...(error?.errors ?? []), statusResult?.error].map(one => one?.message).filter(Boolean)
    const entries = statusResult?.results ?? []
    const set = entries.filter((entry: { status: boolean }) => entry.status)
    const purposes = set.map(
      (entry: { credentialStatus: { statusPurpose: string } }) => entry.credentialStatus.statusPurpose,
    )
    return { verified, set: purposes, error: errors.length > 0 ? errors.join('; ') : undefined }
  },

  /** Issues a credential under a did:key. */
  async issue(
    credential: JsonObject,
    key: SigningKey,
    cryptosuite: 'eddsa-jcs-2022' | 'eddsa-rdfc-2022',
  ): Promise<JsonObject> {
    const publicKeyMultibase = key.did.slice('did:key:'.length)
    const secret = Uint8Array.of(0x80, 0x26, ...key.exportSecret())
    const pair = await Ed25519Multikey.from({
      '@context': 'https://w3id.org/security/multikey/v1',
      id: `${key.did}#${publicKeyMultibase}`,
      type: 'Multikey',
      controller: key.did,
      publicKeyMultibase,
      secretKeyMultibase: `z${toBase58(secret)}`,
    })
    const suite = new DataIntegrityProof({
      signer: pair.signer(),
      cryptosuite: suiteOf(cryptosuite === 'eddsa-jcs-2022' ? jcs : rdfc, 'Sign'),
    })
    return vc.issue({ credential: structuredClone(credential), suite, documentLoader: loaderOf(new Map()) })
  },

  /** Reads a place of an encoded list. */
  async readPlace(encodedList: unknown, place: number): Promise<boolean> {
    return (await statusLists.decodeList({ encodedList })).getStatus(place)
  },

  /** Encodes a list with one place set. */
  async encodePlace(place: number): Promise<string> {
    const list = await statusLists.createList({ length: 131_072 })
    list.setStatus(place, true)
    return list.encode()
  },
}

/** Packages name the same thing in three ways. */
const suiteOf = (suite: Record<string, unknown>, verb: 'Sign' | 'Verify'): unknown => {
  const make = suite[`create${verb}Cryptosuite`]
  return typeof make === 'function' ? make() : suite.cryptosuite
}

const loaderOf = (documents: ReadonlyMap<string, object>) => async (url: string) => {
  const document = documents.get(url) ?? keyDocument(url, documents) ?? (await loadBundledContext(url))
  return { contextUrl: null, documentUrl: url, document }
}

/** A key of a document, which the library asks for by its DID URL; it looks the controller up by itself. */
const keyDocument = (url: string, documents: ReadonlyMap<string, object>): object | undefined => {
  const document = documents.get(url.split('#')[0]!) as { verificationMethod?: { id: string }[] } | undefined
  const method = document?.verificationMethod?.find(({ id }) => id === url)
  return method && { '@context': 'https://w3id.org/security/multikey/v1', ...method }
}
