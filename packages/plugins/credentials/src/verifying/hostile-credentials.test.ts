import { createSigningKey } from '@sibyl/identity'
import type { DidDocument } from '@sibyl/protocol'
import { expect, test } from 'vitest'
import { knownContexts } from '../contexts/known-contexts.ts'
import type { JsonObject } from '../definitions/json-object.ts'
import { readDocument } from '../documents/read-document.ts'
import { encodeList } from '../status-lists/status-place.ts'
import { violationsOf } from '../testing/credentials-fixture.test.helper.ts'
import { foreignIssuer } from '../testing/foreign-issuer.test.helper.ts'
import type { VerifiedList } from './check-status.ts'
import { createVerifier } from './create-verifier.ts'
import { createResolveDid } from './find-key.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const issuer = foreignIssuer()
const publicDid = 'did:web:oracle.example'

/** A verifier at an oracle that issues nothing, with lists and documents of others. */
const verify = async (
  credential: JsonObject | string,
  {
    lists = {},
    documents = {},
  }: { lists?: Record<string, VerifiedList>; documents?: Record<string, DidDocument> } = {},
) => {
  const identity = {
    publicDid,
    verificationMethod: undefined,
    keys: async () => [],
    document: async () => ({ '@context': [], id: publicDid }),
  }
  const resolveDid = createResolveDid(identity, undefined)
  const verifier = createVerifier({
    clock: { now: () => now },
    resolveDid: async did => (documents[did] ? { document: documents[did] } : resolveDid(did)),
    contexts: knownContexts(),
    ownKeys: { identity, isIssued: async () => false },
    status: {
      own: async url =>
        url.startsWith('https://oracle.example/') ? { purpose: 'revocation', isSet: false } : undefined,
      ownIssuer: () => publicDid,
      fetch: async url => lists[url] ?? { fault: 'the status list is unavailable' },
    },
  })
  const text = typeof credential === 'string' ? credential : JSON.stringify(credential)
  const { verified, checks } = await verifier.verify(readDocument(text))
  expect(verified).toBe(checks.every(({ ok }) => ok))
  return violationsOf(checks)
}

test('a good one is good', async () => {
  expect(await verify(await issuer.issue())).toEqual({})
})

test.each<[string, (text: string) => string, RegExp]>([
  ['no JSON', () => '{', /not valid JSON/],
  ['a list', () => '[]', /not a JSON object/],
  ['null', () => 'null', /not a JSON object/],
  ['a large one', text => text.replace('"level":3', `"level":"${'x'.repeat(200_000)}"`), /characters; the maximum/],
  ['a deep one', text => text.replace('"level":3', `"level":${'['.repeat(30)}${']'.repeat(30)}`), /nested 3\d levels/],
  ['a name twice', text => text.replace('"level":3', '"level":9,"level":3'), /duplicate name/],
  ['a name twice, spelt in two ways', text => text.replace('"level":3', '"leve\\u006c":9,"level":3'), /duplicate name/],
  ['__proto__', text => text.replace('"level":3', '"level":3,"__proto__":{"a":1}'), /__proto__/],
  ['half a character', text => text.replace('"level":3', '"level":"\\ud800"'), /not valid Unicode/],
  ['a number beyond all', text => text.replace('"level":3', '"level":1e999'), /too large/],
  ['no proof', text => JSON.stringify({ ...JSON.parse(text), proof: undefined }), /\/proof/],
  ['too many proofs', text => JSON.stringify({ ...JSON.parse(text), proof: Array(5).fill({}) }), /\/proof/],
  ['no subject', text => JSON.stringify({ ...JSON.parse(text), credentialSubject: {} }), /\/credentialSubject/],
  ['another type', text => text.replace('"VerifiableCredential",', ''), /\/type/],
  [
    'a time without zone',
    text => text.replace('"2026-01-01T00:00:00Z","cred', '"2026-01-01T00:00:00","cred'),
    /validFrom/,
  ],
  [
    'a day that its month has not',
    text => text.replace('"2026-01-01T00:00:00Z","cred', '"2026-02-29T00:00:00Z","cred'),
    /not a valid time/,
  ],
  ['the data model 1.1', text => text.replace('ns/credentials/v2', '2018/credentials/v1'), /issuanceDate is missing/],
])('structure: %s', async (_, spoil, detail) => {
  const violations = await verify(spoil(JSON.stringify(await issuer.issue())))
  expect(Object.keys(violations)).toEqual(['structure'])
  expect(violations.structure).toMatch(detail)
})

const typeless = { id: 'https://issuer.example/1' }

test.each<[string, JsonObject, RegExp]>([
  ['evidence without a type', { evidence: [typeless] }, /\/evidence/],
  ['evidence that is a text', { evidence: 'seen' }, /\/evidence/],
  ['evidence with an empty type', { evidence: { type: '' } }, /\/evidence/],
  ['termsOfUse without a type', { termsOfUse: typeless }, /\/termsOfUse/],
  ['refreshService without a type', { refreshService: typeless }, /\/refreshService/],
  ['refreshService with an id that is no URL', { refreshService: { id: 'x', type: 'A' } }, /\/refreshService/],
  ['credentialSchema without a type', { credentialSchema: typeless }, /\/credentialSchema/],
  ['credentialSchema without an id', { credentialSchema: { type: 'JsonSchema' } }, /\/credentialSchema/],
  [
    'credentialSchema with an id that is no URL',
    { credentialSchema: [{ id: 'a b', type: 'A' }] },
    /\/credentialSchema/,
  ],
  ['credentialStatus with an id that is no URL', { credentialStatus: { id: '1', type: 'A' } }, /\/credentialStatus/],
  ['a subject with several ids', { credentialSubject: { id: ['did:web:a.example'], a: 1 } }, /\/credentialSubject/],
  ['a subject whose id is no URL', { credentialSubject: [{ id: 'somebody' }] }, /\/credentialSubject/],
  ['a name that is a number', { name: 7 }, /\/name/],
  ['a name without a value', { name: { '@language': 'en' } }, /\/name/],
  ['a name with another member', { name: { '@value': 'A', '@language': 'en', more: 1 } }, /\/name/],
  ['a description in no language', { description: [{ '@value': 'A', '@language': 'no tag' }] }, /\/description/],
  ['an issuer whose name is a list of numbers', { issuer: { id: issuer.did, name: [1] } }, /\/issuer/],
  ['a resource without a digest', { relatedResource: { id: 'https://a.example/1' } }, /\/relatedResource/],
  ['an end before its beginning', { validUntil: '2025-12-31T23:59:59Z' }, /\/validUntil/],
  ['an empty type', { type: ['VerifiableCredential', ''] }, /\/type/],
])('structure: %s', async (_, parts, detail) => {
  const violations = await verify(await issuer.issue(parts))
  expect(Object.keys(violations)).toEqual(['structure'])
  expect(violations.structure).toMatch(detail)
})

test('all members of the data model in their right form are good', async () => {
  const one = { id: 'https://issuer.example/1', type: ['A', 'B'] }
  const parts: JsonObject = {
    name: 'A name',
    description: [
      { '@value': 'شهادة', '@language': 'ar', '@direction': 'rtl' },
      { '@value': 'Certificate', '@language': 'en-GB' },
    ],
    issuer: { id: issuer.did, name: { '@value': 'Amt' } },
    credentialSubject: [{ id: 'did:web:a.example' }, { level: 3 }],
    credentialSchema: { ...one, type: 'JsonSchema' },
    evidence: [{ type: 'Seen' }, one],
    termsOfUse: one,
    refreshService: [one],
    relatedResource: {
      id: 'https://issuer.example/2',
      digestSRI: 'sha256-47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=',
    },
    validUntil: '2027-01-01T00:00:00Z',
  }
  expect(await verify(await issuer.issue(parts))).toEqual({})
})

test.each<[string, JsonObject]>([
  ['an unknown one', { '@context': ['https://www.w3.org/ns/credentials/v2', 'https://evil.example/v1'] }],
  ['one of its own', { '@context': ['https://www.w3.org/ns/credentials/v2', { level: 'urn:evil' }] }],
  ['one inside', { credentialSubject: { id: 'did:web:a.example', '@context': { '@vocab': 'urn:evil:' } } }],
])('context: %s', async (_, parts) => {
  expect(Object.keys(await verify(await issuer.issue(parts)))).toEqual(['context'])
})

test('every altered member of credential and proof is found', async () => {
  const good = await issuer.issue({ validUntil: '2027-01-01T00:00:00Z' })
  const altered: JsonObject[] = [
    { ...good, id: 'urn:uuid:5b0b3a5e-93d6-44f4-8b9f-35a1f7a5d0f2' },
    { ...good, validUntil: '2028-01-01T00:00:00Z' },
    { ...good, credentialSubject: { id: 'did:web:somebody.example', level: 4 } },
    { ...good, name: 'added' },
    { ...good, proof: { ...good.proof, created: '2026-01-01T00:00:01Z' } },
    { ...good, proof: { ...good.proof, nonce: 'added' } },
  ]
  for (const one of altered) expect(Object.keys(await verify(one))).toEqual(['signature'])
})

test.each<[string, JsonObject, string, RegExp]>([
  ['made in the future', { created: '2026-11-21T12:02:00Z' }, 'proof', /future/],
  ['expired', { expires: '2026-11-20T00:00:00Z' }, 'proof', /expired/],
  ['for another purpose', { proofPurpose: 'authentication' }, 'proof', /assertionMethod/],
  ['of another suite', { cryptosuite: 'ecdsa-jcs-2019' }, 'proof', /cryptosuite/],
  ['in a chain', { previousProof: 'urn:uuid:1' }, 'proof', /chains/],
  ['by somebody else', { verificationMethod: foreignIssuer().verificationMethod }, 'issuer', /does not belong/],
  ['with a key that the issuer has not', { verificationMethod: `${issuer.did}#key-1` }, 'key', /has no key/],
])('a proof %s', async (_, options, name, detail) => {
  const { proof: _old, ...document } = await issuer.issue()
  const violations = await verify({ ...document, proof: await issuer.prove(document, options) })
  expect(violations[name]).toMatch(detail)
})

test('a key that is not for assertions, or is controlled by another, is rejected though its signature is right', async () => {
  const did = 'did:web:device.example'
  const verificationMethod = `${did}#${issuer.did.slice('did:key:'.length)}`
  const method = {
    id: verificationMethod,
    type: 'Multikey',
    controller: did,
    publicKeyMultibase: issuer.did.slice('did:key:'.length),
  } as const
  const { proof: _, ...base } = await issuer.issue({ issuer: did })
  const credential = { ...base, proof: await issuer.prove(base, { verificationMethod }) }
  const document = { '@context': [], id: did, verificationMethod: [method], authentication: [verificationMethod] }
  const allowed = { ...document, assertionMethod: [verificationMethod] }
  expect(await verify(credential, { documents: { [did]: allowed } })).toEqual({})
  expect((await verify(credential, { documents: { [did]: document } })).key).toMatch(/assertionMethod/)
  const foreign = { ...allowed, verificationMethod: [{ ...method, controller: 'did:web:other.example' }] }
  expect((await verify(credential, { documents: { [did]: foreign } })).key).toMatch(/another controller/)
})

test.each([
  ['did:web:elsewhere.example', 'issuer'],
  ['did:ion:abc', 'issuer'],
  ['https://issuer.example', 'issuer'],
  [publicDid, 'key'],
])('rejects an issuer that is unknown or did not sign: %s', async (did, name) => {
  const { proof: _, ...base } = await issuer.issue({ issuer: did })
  const proof = await issuer.prove(base, { verificationMethod: `${did}#key` })
  expect(Object.keys(await verify({ ...base, proof }))).toContain(name)
})

test('all proofs of a set must hold', async () => {
  const { proof: _, ...document } = await issuer.issue()
  const [one, other] = [await issuer.prove(document), await issuer.prove(document, { nonce: 'other' })]
  expect(await verify({ ...document, proof: [one, other] })).toEqual({})
  const violations = await verify({ ...document, proof: [one, { ...other, nonce: 'altered' }] })
  expect(violations).toEqual({ signature: expect.stringMatching(/^proof 2 of 2: /) })
})

test('verifying stops at the first proof that does not hold', async () => {
  const credential = await issuer.issue()
  const { proof } = credential
  const bad = { ...(proof as JsonObject), proofValue: 'z2' }
  const delays: string[] = []
  const identity = {
    publicDid,
    verificationMethod: undefined,
    keys: async () => [],
    document: async () => ({ '@context': [], id: publicDid }),
  }
  const resolveDid = createResolveDid(identity, undefined)
  const verifier = createVerifier({
    clock: { now: () => now },
    resolveDid: did => {
      delays.push(did)
      return resolveDid(did)
    },
    contexts: knownContexts(),
    ownKeys: { identity, isIssued: async () => false },
    status: { own: async () => undefined, ownIssuer: () => publicDid, fetch: async () => ({ fault: 'unreachable' }) },
  })
  const set = { ...credential, proof: [proof, bad, proof, bad] } as JsonObject
  const { verified, checks } = await verifier.verifyWithoutStatus(readDocument(JSON.stringify(set)))
  expect(verified).toBe(false)
  expect(violationsOf(checks)).toEqual({ signature: expect.stringMatching(/^proof 2 of 4: /) })
  expect(delays.length).toBe(2)
})

test.each<[string, JsonObject, RegExp]>([
  ['not yet valid', { validFrom: '2026-11-22T00:00:00Z' }, /valid from/],
  ['expired', { validUntil: '2026-11-20T00:00:00+01:00' }, /valid until/],
])('validity: %s', async (_, parts, detail) => {
  expect(await verify(await issuer.issue(parts))).toEqual({ validity: expect.stringMatching(detail) })
})

const listUrl = 'https://lists.example/3'
const entry = (parts: JsonObject = {}): JsonObject => ({
  type: 'BitstringStatusListEntry',
  statusPurpose: 'revocation',
  statusListIndex: '94567',
  statusListCredential: listUrl,
  ...parts,
})
const list = async (parts: Partial<VerifiedList> = {}): Promise<VerifiedList> => ({
  issuer: issuer.did,
  purposes: ['revocation'],
  encodedList: await encodeList([]),
  ...parts,
})

test('a list of the issuer that does not name it leaves a credential good', async () => {
  const credential = await issuer.issue({ credentialStatus: entry() })
  expect(
    await verify(credential, { lists: { [listUrl]: await list({ encodedList: await encodeList([94566, 94568]) }) } }),
  ).toEqual({})
})

test.each<[string, JsonObject, Partial<VerifiedList> | (() => Promise<Partial<VerifiedList>>), RegExp]>([
  ['revoked', {}, async () => ({ encodedList: await encodeList([94567]) }), /it was revoked/],
  ['a list of another issuer', {}, { issuer: 'did:web:other.example' }, /another issuer/],
  ['a list for another purpose', {}, { purposes: ['suspension'] }, /another purpose/],
  ['a list that cannot be reached', { statusListCredential: 'https://gone.example/1' }, {}, /unavailable/],
  ['a place beyond the list', { statusListIndex: '131072' }, {}, /no position/],
  ['a place that is no number', { statusListIndex: '1e3' }, {}, /not a valid BitstringStatusListEntry/],
  ['a list that is too short', {}, { encodedList: 'uH4sIAAAAAAAAA2NgAAAA__8DAJ4q3gAEAAAA' }, /decompressed|fewer/],
  ['a list that is no list', {}, { encodedList: 42 }, /base64url/],
  ['a status of another kind', { type: 'RevocationList2020Status' }, {}, /not a valid BitstringStatusListEntry/],
  ["the oracle's own list", { statusListCredential: 'https://oracle.example/status-lists/x' }, {}, /another issuer/],
])('status: %s', async (_, parts, listParts, detail) => {
  const credential = await issuer.issue({ credentialStatus: [entry(parts)] })
  const reported = typeof listParts === 'function' ? await listParts() : listParts
  const violations = await verify(credential, { lists: { [listUrl]: await list(reported) } })
  expect(violations).toEqual({ status: expect.stringMatching(detail) })
})

test('a list that unpacks to more than is read is rejected', async () => {
  const { gzipSync } = await import('node:zlib')
  const bomb = `u${gzipSync(new Uint8Array(64_000_000)).toString('base64url')}`
  const credential = await issuer.issue({ credentialStatus: entry() })
  const violations = await verify(credential, { lists: { [listUrl]: await list({ encodedList: bomb }) } })
  expect(violations.status).toMatch(/decompressed, or is too long/)
})

test('rdfc: undefined terms, large documents, and graphs that would take for ever, are rejected', async () => {
  const suite = { cryptosuite: 'eddsa-rdfc-2022' }
  const base = await issuer.issue({ '@context': ['https://www.w3.org/ns/credentials/v2'] })
  const { proof: _, ...document } = base
  const violations = await verify({ ...document, proof: await issuer.prove(document, suite) })
  expect(violations.signature).toMatch(/made canonical/)
  const nodes = Array.from({ length: 12 }, (_, one) => ({
    id: `_:n${one}`,
    next: Array.from({ length: 12 }, (_, other) => ({ id: `_:n${other}` })),
  }))
  const { proof: ___, ...many } = await issuer.issue({
    credentialSubject: { id: 'did:web:a.example', n: Array(1000).fill(1) },
  })
  expect((await verify({ ...many, proof: await issuer.prove(many, suite) })).signature).toMatch(/more than 1000 values/)
  const { proof: __, ...poison } = await issuer.issue({ credentialSubject: { id: 'did:web:a.example', nodes } })
  const refused = await verify({ ...poison, proof: await issuer.prove(poison, suite) })
  expect(refused.signature).toMatch(/made canonical/)
})

test('a key of small order signs nothing', async () => {
  const did = 'did:key:z6MkeTG3bFFSLYVU7VqhgZxqr6YzpaGrQtFMh1uvqGy1vDnP'
  const { proof: _, ...base } = await issuer.issue({ issuer: did })
  const proof = await issuer.prove(base, { verificationMethod: `${did}#${did.slice(8)}` })
  const violations = await verify({ ...base, proof })
  expect(Object.keys(violations)).toContain('signature')
})

test('a signature of another key is invalid', async () => {
  const { proof: _, ...base } = await issuer.issue()
  const other = foreignIssuer(createSigningKey())
  const proof = await other.prove(base, { verificationMethod: issuer.verificationMethod })
  expect(Object.keys(await verify({ ...base, proof }))).toEqual(['signature'])
})
