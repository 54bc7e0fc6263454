import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMnemonic, parseMnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import { expect, test } from 'vitest'
import type { JsonObject } from './definitions/json-object.ts'
import { signDocument } from './proofs/sign-document.ts'
import { type CredentialsFixture, type IssuedRecord, openFixture } from './testing/credentials-fixture.test.helper.ts'

const listPath = ({ credential }: IssuedRecord, purpose = 'revocation') => {
  const entry = credential.credentialStatus.find(({ statusPurpose }) => statusPurpose === purpose)
  return new URL(String(entry?.statusListCredential)).pathname
}

const readList = (fixture: CredentialsFixture, path: string, headers: HeadersInit = {}) =>
  fixture.call('GET', path, undefined, null, headers)

test('a status list is signed once for each change, and sent only to who has another', async () => {
  await using fixture = await openFixture()
  const issued = await fixture.issue()
  const path = listPath(issued)
  const both = await Promise.all([readList(fixture, path), readList(fixture, path)])
  const [first] = both
  expect(both[1].body).toEqual(first.body)
  expect(first).toMatchObject({
    status: 200,
    body: {
      type: ['VerifiableCredential', 'BitstringStatusListCredential'],
      issuer: fixture.oracle.app.identity.publicDid,
    },
  })
  expect(first.headers.get('content-type')).toBe('application/vc')
  const etag = first.headers.get('etag') ?? ''
  expect((await readList(fixture, path)).body).toEqual(first.body)
  expect(await readList(fixture, path, { 'if-none-match': `"other", W/${etag}` })).toMatchObject({ status: 304 })
  expect(await fixture.verify(first.body)).toMatchObject({ verified: true })

  await fixture.issue()
  expect((await readList(fixture, path)).headers.get('etag')).toBe(etag)
  await fixture.call('POST', `/credentials/${issued.id}/suspend`, { reason: 'a doubt' })
  expect((await readList(fixture, path)).headers.get('etag')).toBe(etag)
  expect((await readList(fixture, listPath(issued, 'suspension'))).body).not.toEqual(first.body)
  await fixture.call('POST', `/credentials/${issued.id}/revoke`, { reason: 'sold' })
  const second = await readList(fixture, path, { 'if-none-match': etag })
  expect(second.status).toBe(200)
  expect(second.body.credentialSubject.encodedList).not.toBe(first.body.credentialSubject.encodedList)
})

test.each(['nothing', 'abcdefghijklmnop-revocation', '../credentials', 'abcdefghijklmnop-message'])(
  'there is no status list %s',
  async id => {
    await using fixture = await openFixture()
    const { status, body } = await readList(fixture, `/status-lists/${encodeURIComponent(id)}`)
    expect([status, body.code]).toEqual([404, 'status_list_not_found'])
  },
)

test('a retired key: earlier signatures still verify, later ones do not, even if backdated', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-credentials-'))
  const DATABASE_URL = `file:${join(folder, 'oracle.db')}`
  const words = createMnemonic(12)
  const before = await openFixture({ env: { DATABASE_URL, ORACLE_MNEMONIC: words.reveal() } })
  const issued = await before.issue()
  const listBefore = (await readList(before, listPath(issued))).body
  await before[Symbol.asyncDispose]()
  try {
    await using fixture = await openFixture({ env: { DATABASE_URL, ORACLE_MNEMONIC: createMnemonic(12).reveal() } })
    expect(await fixture.verify(issued.credential)).toEqual({ verified: true, faults: {} })
    const listAfter = (await readList(fixture, listPath(issued))).body
    expect(listAfter.proof.verificationMethod).not.toBe(listBefore.proof.verificationMethod)

    const stolen = await signingKeyFromMnemonic((parseMnemonic(words.reveal()) as { mnemonic: typeof words }).mnemonic)
    const forge = (parts: JsonObject, created: number) => {
      const { proof, ...document } = issued.credential
      return signDocument({ ...document, ...parts }, created, {
        verificationMethod: String(proof.verificationMethod),
        sign: bytes => stolen.sign(bytes),
      })
    }
    const forged = { credentialSubject: { id: 'did:web:thief.example' } }
    const late = await fixture.verify(await forge(forged, Date.now() + 30_000))
    expect(late.faults).toEqual({ key: expect.stringMatching(/retired at .*before the proof was made/) })
    const datedBack = await fixture.verify(await forge(forged, Date.parse('2026-01-01T00:00:00Z')))
    expect(datedBack.faults).toEqual({ key: expect.stringMatching(/has not issued this credential/) })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a credential is accepted with its own media type', async () => {
  await using fixture = await openFixture()
  const request = (type: string) =>
    fixture.oracle.app.request('/credentials/verify', { method: 'POST', body: '{}', headers: { 'content-type': type } })
  for (const type of ['application/vc', 'application/vc; charset=utf-8', 'application/ld+json'])
    expect([type, (await request(type)).status]).toEqual([type, 200])
  expect((await request('text/html')).status).toBe(415)
})

test('any caller may verify, thirty times a minute', async () => {
  await using fixture = await openFixture({ env: { RATE_LIMIT_PER_MINUTE: '100' } })
  const answers: number[] = []
  for (let count = 0; count < 32; count += 1) {
    const headers = { 'content-type': 'application/json' }
    const request = new Request('http://localhost/credentials/verify', { method: 'POST', body: '{}', headers })
    answers.push((await fixture.oracle.app.fetch(request, { clientAddress: '203.0.113.7' })).status)
  }
  expect(answers.slice(0, 30)).toEqual(Array(30).fill(200))
  expect(answers.slice(30)).toEqual([429, 429])
})

test('invalid JSON, and JSON that changes prototypes, does not reach the verifier', async () => {
  await using fixture = await openFixture()
  const codes = ['{', '{"__proto__":{}}', '['.repeat(40) + ']'.repeat(40)].map(async text => {
    const { status, body } = await fixture.call('POST', '/credentials/verify', text, null)
    return [status, body.code]
  })
  expect(await Promise.all(codes)).toEqual([
    [400, 'json_invalid'],
    [400, 'json_forbidden_key'],
    [400, 'json_too_deep'],
  ])
  expect(await fixture.verify('{"credential":{"a":1},"credential":{"a":2}}')).toEqual({
    verified: false,
    faults: { structure: 'an object has a duplicate name' },
  })
})
