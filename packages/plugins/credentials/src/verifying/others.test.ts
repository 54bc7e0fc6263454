import { fromBase58 } from '@sibyl/plugin'
import type { GuardedFetch } from '@sibyl/plugin/outbound'
import { entities } from '@sibyl/plugin-entities'
import { type TestApp, testApp } from '@sibyl/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { earlierContext } from '../contexts/known-contexts.ts'
import { credentials } from '../credentials.ts'
import type { JsonObject } from '../definitions/json-object.ts'
import { officeKey, openFixture, sampleRequest, violationsOf } from '../testing/credentials-fixture.test.helper.ts'
import { foreignIssuer } from '../testing/foreign-issuer.test.helper.ts'

/** Oracles that reach each other by their public URLs. */
const world = () => {
  const oracles = new Map<string, TestApp>()
  const documents = new Map<string, unknown>()
  const asked: string[] = []
  const fetch: GuardedFetch = async (given, request) => {
    const url = new URL(given)
    asked.push(url.href)
    const [base, oracle] = [...oracles].find(([one]) => url.href.startsWith(`${one}/`)) ?? []
    const answer = oracle
      ? await oracle.app.request(url.href.slice(base!.length), { headers: request?.headers ?? {} })
      : Response.json(documents.get(url.href) ?? {}, { status: documents.has(url.href) ? 200 : 404 })
    const body = new Uint8Array(await answer.arrayBuffer())
    return { url: url.href, status: answer.status, headers: answer.headers, body, isComplete: true } as never
  }
  return {
    fetch,
    documents,
    asked,
    async add(url: string, withEntities: boolean) {
      const env = { PUBLIC_URL: url, ENTITIES_API_KEYS: `fixture:${officeKey}` }
      const oracle = await testApp({ plugins: [...(withEntities ? [entities()] : []), credentials({ fetch })], env })
      onTestFinished(() => oracle.app.close())
      oracles.set(url, oracle)
      return oracle
    },
  }
}

const post = (oracle: TestApp, path: string, body: unknown) =>
  oracle.app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${officeKey}` },
    body: JSON.stringify(body),
  })

const verdictOf = async (oracle: TestApp, credential: unknown) => {
  const { verified, checks } = await (await post(oracle, '/credentials/verify', credential)).json()
  return { verified, violations: violationsOf(checks) }
}

describe.each([false, true])('with entities: %s', withEntities => {
  test('two oracles verify credentials of each other, and see that one was revoked', async () => {
    const { add, asked } = world()
    const one = await add('https://one.example/oracle', withEntities)
    const two = await add('https://two.example', withEntities)
    for (const [issuer, verifier] of [
      [one, two],
      [two, one],
    ] as const) {
      const { id, credential } = await (await post(issuer, '/credentials/issue', sampleRequest)).json()
      expect(credential.issuer).toMatch(/^did:web:/)
      expect(await verdictOf(verifier, credential)).toEqual({ verified: true, violations: {} })
      const changed = { ...credential, credentialSubject: { ...credential.credentialSubject, meals: 33 } }
      expect((await verdictOf(verifier, changed)).violations).toHaveProperty('signature')
      expect((await post(issuer, `/credentials/${id}/revoke`, { reason: 'lost' })).status).toBe(200)
      expect((await verdictOf(verifier, credential)).violations).toEqual({ status: 'it was revoked' })
    }
    expect(asked).toContain('https://one.example/oracle/did.json')
    expect(asked).toContain('https://two.example/.well-known/did.json')
  })
})

test('a did:web that is unavailable, private or another document fails the check of the issuer', async () => {
  const { add, documents, asked } = world()
  const oracle = await add('https://one.example', false)
  const issuer = foreignIssuer()
  documents.set('https://liar.example/.well-known/did.json', { id: 'did:web:other.example' })
  for (const did of ['did:web:gone.example', 'did:web:liar.example', 'did:web:a.example:..', 'did:web:a@b.example']) {
    const verificationMethod = `${did}#key`
    const document = { ...(await issuer.issue({ issuer: did })), proof: undefined }
    const proof = await issuer.prove(document as never, { verificationMethod })
    const { violations } = await verdictOf(oracle, { ...document, proof })
    expect(violations.issuer).toMatch(/is unavailable|does not have the document|is not a valid did:web/)
  }
  expect(asked.every(url => /^https:\/\/(gone|liar)\.example\//.test(url))).toBe(true)
  await using real = await openFixture()
  const document = { ...(await issuer.issue({ issuer: 'did:web:127.0.0.1%3A3000' })), proof: undefined }
  const proof = await issuer.prove(document as never, { verificationMethod: 'did:web:127.0.0.1%3A3000#key' })
  expect((await real.verify({ ...document, proof })).faults.issuer).toContain('is unavailable')
})

const jwtOf = async (issuer: ReturnType<typeof foreignIssuer>, payload: object, header: object = {}) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'EdDSA', typ: 'vc+jwt', kid: issuer.verificationMethod, ...header })}.${part(payload)}`
  return `${signed}.${Buffer.from(await issuer.key.sign(Buffer.from(signed))).toString('base64url')}`
}

describe('a JWT', () => {
  const issuer = foreignIssuer()
  const plain = async (parts: JsonObject = {}): Promise<JsonObject> => {
    const { proof: _, ...document } = await issuer.issue(parts)
    return document
  }
  const earlier = {
    '@context': [earlierContext],
    type: ['VerifiableCredential'],
    credentialSubject: { level: 3 },
  }
  const claims = { iss: issuer.did, sub: 'did:web:somebody.example', jti: 'urn:uuid:1', nbf: 1_767_225_600 }

  test('a credential of data model 2.0 or 1.1 is verified', async () => {
    await using fixture = await openFixture()
    const jwt = await jwtOf(issuer, await plain())
    const enveloped = {
      '@context': 'https://www.w3.org/ns/credentials/v2',
      type: 'EnvelopedVerifiableCredential',
      id: `data:application/vc+jwt,${jwt}`,
    }
    const old = await jwtOf(issuer, { ...claims, exp: 4_000_000_000, vc: earlier }, { typ: 'JWT' })
    for (const credential of [{ credential: jwt }, { verifiableCredential: old }, enveloped])
      expect(await fixture.verify(credential)).toEqual({ verified: true, faults: {} })
    for (const type of ['application/vc+jwt', 'application/jwt']) {
      const init = { method: 'POST', headers: { 'content-type': type }, body: jwt }
      expect((await (await fixture.oracle.app.request('/credentials/verify', init)).json()).verified).toBe(true)
    }
  })

  test('one that is changed, expired, of another issuer or algorithm, or contradicts itself is rejected', async () => {
    await using fixture = await openFixture()
    const violationsIn = async (payload: object, header?: object) =>
      (await fixture.verify({ credential: await jwtOf(issuer, payload, header) })).faults
    const [head = '', , signature = ''] = (await jwtOf(issuer, await plain())).split('.')
    const body = Buffer.from(JSON.stringify(await plain({ name: 'x' }))).toString('base64url')
    const changed = await fixture.verify({ credential: `${head}.${body}.${signature}` })
    expect(changed.faults).toEqual({ signature: expect.stringContaining('does not match') })
    expect(await violationsIn({ ...claims, exp: 1_767_225_700, vc: earlier })).toHaveProperty('validity')
    expect(await violationsIn(await plain({ issuer: foreignIssuer().did }))).toHaveProperty('key')
    expect(await violationsIn(await plain(), { alg: 'none' })).toHaveProperty('structure')
    expect(await violationsIn(await plain(), { crit: ['exp'] })).toHaveProperty('structure')
    expect(await violationsIn({ ...(await plain()), iss: 'did:web:other.example' })).toHaveProperty('structure')
    expect(await violationsIn({ ...claims, vc: { ...earlier, id: 'urn:uuid:2' } })).toHaveProperty('structure')
    expect(await violationsIn({ ...claims, nbf: 'x', vc: earlier })).toHaveProperty('structure')
  })

  test('one by a did:web that has a JsonWebKey is verified', async () => {
    const { add, documents } = world()
    const oracle = await add('https://one.example', true)
    const did = 'did:web:jwk.example:issuers:7'
    const { x } = issuer.key.did.startsWith('did:key:') ? jwkOf(issuer.key.did) : { x: '' }
    documents.set('https://jwk.example/issuers/7/did.json', {
      id: did,
      verificationMethod: [
        { id: '#k', type: 'JsonWebKey2020', controller: did, publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x } },
      ],
      assertionMethod: ['#k'],
    })
    const jwt = await jwtOf(issuer, await plain({ issuer: did }), { kid: `${did}#k` })
    expect(await verdictOf(oracle, { credential: jwt })).toEqual({ verified: true, violations: {} })
    const unnamed = await jwtOf(issuer, await plain({ issuer: did }), { kid: undefined })
    expect((await verdictOf(oracle, { credential: unnamed })).verified).toBe(true)
  })
})

/** The JWK of a did:key. */
const jwkOf = (did: string) => ({
  x: Buffer.from(fromBase58(did.slice('did:key:z'.length))!.subarray(2)).toString('base64url'),
})

test('a credential of data model 1.1 with eddsa-jcs-2022 is verified', async () => {
  await using fixture = await openFixture()
  const issuer = foreignIssuer()
  const document: JsonObject = {
    '@context': [earlierContext, 'https://w3id.org/security/data-integrity/v2'],
    id: 'urn:uuid:1',
    type: ['VerifiableCredential'],
    issuer: issuer.did,
    issuanceDate: '2026-01-01T00:00:00Z',
    credentialSubject: { id: 'did:web:somebody.example' },
  }
  const verify = async (given: JsonObject) => fixture.verify({ ...given, proof: await issuer.prove(given) })
  expect(await verify(document)).toEqual({ verified: true, faults: {} })
  const over = await verify({ ...document, expirationDate: '2026-01-02T00:00:00Z' })
  expect(over.faults).toHaveProperty('validity')
  const { issuanceDate: _, ...undated } = document
  expect((await verify(undated)).faults.structure).toContain('issuanceDate')
})

test('pages of every origin read public documents, and nothing else', async () => {
  const { add } = world()
  const oracle = await add('https://one.example', true)
  const { credential } = await (await post(oracle, '/credentials/issue', sampleRequest)).json()
  const [{ statusListCredential }] = credential.credentialStatus
  const { did } = await (await post(oracle, '/v1/entities', { type: 'Device' })).json()
  const allowed = async (path: string) =>
    (await oracle.app.request(path, { headers: { origin: 'https://page.example' } })).headers.get(
      'access-control-allow-origin',
    )
  const list = new URL(statusListCredential).pathname
  const entity = `/${did.split(':').slice(3).join('/')}/did.json`
  for (const path of [
    '/.well-known/did.json',
    '/did.json',
    '/.well-known/oracle.json',
    list,
    entity,
    `/1.0/identifiers/${did}`,
    '/1.0/identifiers/did:web:x',
  ])
    expect([path, await allowed(path)]).toEqual([path, '*'])
  for (const path of ['/sessions', '/v1/entities']) expect([path, await allowed(path)]).toEqual([path, null])
})
