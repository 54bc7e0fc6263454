import { toBase58 } from '@sibyl/plugin'
import { expect, test } from 'vitest'
import { knownContexts, loadBundledContext } from '../contexts/known-contexts.ts'
import type { JsonObject } from '../definitions/json-object.ts'
import { readDocument } from '../documents/read-document.ts'
import { rdfcDigest } from '../proofs/rdfc-digest.ts'
import { encodeList } from '../status-lists/status-place.ts'
import { violationsOf } from '../testing/credentials-fixture.test.helper.ts'
import { foreignIssuer } from '../testing/foreign-issuer.test.helper.ts'
import { createVerifier } from './create-verifier.ts'
import { createResolveDid } from './find-key.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const issuer = foreignIssuer()

/** Verifies as the route does, and tells which status lists it asked for. */
const verify = async (credential: JsonObject | string) => {
  const identity = {
    publicDid: 'did:web:oracle.example',
    verificationMethod: undefined,
    keys: async () => [],
    document: async () => ({ '@context': [], id: 'did:web:oracle.example' }),
  }
  const fetched: string[] = []
  const verifier = createVerifier({
    clock: { now: () => now },
    resolveDid: createResolveDid(identity, undefined),
    contexts: knownContexts(),
    ownKeys: { identity, isIssued: async () => false },
    status: {
      own: async () => undefined,
      ownIssuer: () => identity.publicDid,
      fetch: async url => {
        fetched.push(url)
        if (url.includes('gone')) return { fault: 'the status list is unavailable' }
        return { issuer: issuer.did, purposes: ['revocation', 'suspension'], encodedList: await encodeList([]) }
      },
    },
  })
  const text = typeof credential === 'string' ? credential : JSON.stringify(credential)
  const { verified, checks } = await verifier.verify(readDocument(text, 'credential'))
  return { verified, faults: violationsOf(checks), fetched }
}

/** A proof with `eddsa-rdfc-2022`. */
const prove = async (document: JsonObject, options: JsonObject = {}): Promise<JsonObject> => {
  const full: JsonObject = {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-rdfc-2022',
    created: '2026-01-01T00:00:00Z',
    verificationMethod: issuer.verificationMethod,
    proofPurpose: 'assertionMethod',
    ...options,
  }
  const digest = await rdfcDigest(document, full, loadBundledContext)
  return { ...full, proofValue: `z${toBase58(await issuer.key.sign(digest))}` }
}

const documentOf = async (parts: JsonObject): Promise<JsonObject> => {
  const { proof: _, ...document } = await issuer.issue(parts)
  return document
}

const statusEntry = (url = 'https://gone.example/1', purpose = 'revocation'): JsonObject => ({
  id: `${url}#5`,
  type: 'BitstringStatusListEntry',
  statusPurpose: purpose,
  statusListIndex: '5',
  statusListCredential: url,
})

const dateTime = 'http://www.w3.org/2001/XMLSchema#dateTime'

test('a forged credential is not good because a good one lies in it', async () => {
  const good = await issuer.issue()
  expect((await verify({ credential: good, id: 'urn:uuid:1', type: 'Certificate' })).verified).toBe(true)
  const forged = { ...good, credentialSubject: { id: 'did:web:thief.example', level: 99 }, credential: good }
  expect((await verify(forged)).verified).toBe(false)
  const { proof: _, ...unsigned } = forged
  expect((await verify(unsigned)).verified).toBe(false)
})

test.each<[string, (document: JsonObject) => JsonObject]>([
  [
    'its end',
    ({ validUntil = null, ...rest }) => ({
      ...rest,
      'https://www.w3.org/2018/credentials#validUntil': { '@type': dateTime, '@value': validUntil },
    }),
  ],
  [
    'its status',
    ({ credentialStatus = null, ...rest }) => ({
      ...rest,
      'https://www.w3.org/2018/credentials#credentialStatus': credentialStatus,
    }),
  ],
  ['its subject', document => ({ ...document, credentialSubject: { '@id': 'did:web:somebody.example', level: 3 } })],
  [
    'a value',
    document => ({
      ...document,
      credentialSubject: {
        id: 'did:web:somebody.example',
        level: { '@value': '3', '@type': 'http://www.w3.org/2001/XMLSchema#integer' },
      },
    }),
  ],
])('rdfc: rejects terms in another form that a JSON reader would miss: %s', async (_, disguise) => {
  const document = await documentOf({ validUntil: '2027-10-01T00:00:00Z', credentialStatus: statusEntry() })
  const proof = await prove(document)
  expect((await verify({ ...document, proof })).faults).toEqual({ status: expect.stringMatching(/unavailable/) })
  const { faults } = await verify({ ...disguise(document), proof })
  expect(faults.signature).toMatch(/written as a keyword or a URL|inside a nested object/)
})

test('rdfc: the end of a proof cannot be spelt otherwise', async () => {
  const document = await documentOf({})
  const { expires = null, ...proof } = await prove(document, { expires: '2026-02-01T00:00:00Z' })
  expect((await verify({ ...document, proof: { ...proof, expires } })).faults.proof).toMatch(/expired/)
  const hidden = { ...proof, 'https://w3id.org/security#expiration': { '@type': dateTime, '@value': expires } }
  expect((await verify({ ...document, proof: hidden })).faults.signature).toMatch(
    /written as a keyword or a URL|inside a nested object/,
  )
})

test('rdfc: what is said of the credential stands at its top, and not somewhere inside of it', async () => {
  const id = 'urn:uuid:5b0b3a5e-93d6-44f4-8b9f-35a1f7a5d0f1'
  const subject = { id: 'did:web:somebody.example', follows: { id } }
  const document = await documentOf({ credentialSubject: subject, validUntil: '2026-10-01T00:00:00Z' })
  const proof = await prove(document)
  expect(Object.keys((await verify({ ...document, proof })).faults)).toEqual(['validity'])
  const { validUntil = null, ...rest } = document
  const moved = { ...rest, credentialSubject: { ...subject, follows: { id, type: document.type ?? null, validUntil } } }
  expect((await verify({ ...moved, proof })).faults.signature).toMatch(/inside/)
})

test('rdfc: texts in a language are as good as any', async () => {
  const document = await documentOf({ name: { '@value': 'Zeugnis', '@language': 'de' } })
  expect((await verify({ ...document, proof: await prove(document) })).faults).toEqual({})
})

test.each([
  '9007199254740993',
  '9007199254740992.4',
  '-9007199254740993',
  '9007199254740992.00000000000000001',
  '9.007199254740993e15',
])('a number that readers parse differently is rejected: %s', async number => {
  const good = JSON.stringify(await issuer.issue({ credentialSubject: { id: 'did:web:a.example', level: 7007 } }))
  expect((await verify(good.replace(':7007', `:${number}`))).faults.structure).toMatch(/number/)
})

test.each([
  '9007199254740992',
  '9007199254740992.0',
  '0.1',
  '1E21',
  '5e-324',
  '-0',
  '1.7976931348623157e308',
  '100000000000000000000',
])('one that is exact is read: %s', async number => {
  const level = Number(number)
  const good = JSON.stringify(await issuer.issue({ credentialSubject: { id: 'did:web:a.example', level, n: 7007 } }))
  const spelt = good.replace(`"level":${JSON.stringify(level)}`, `"level":${number}`)
  expect((await verify(spelt)).faults).toEqual({})
})

test('status lists of others are fetched once, and only if all other checks passed', async () => {
  const [one, other] = ['https://lists.example/1', 'https://lists.example/2']
  const credentialStatus = [statusEntry(one), statusEntry(one, 'suspension'), statusEntry(other)]
  const good = await issuer.issue({ credentialStatus })
  expect((await verify({ ...good, name: 'altered' })).fetched).toEqual([])
  expect((await verify(good)).fetched).toEqual([one, other])
})
