import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { files } from '@sibyl/plugin-files'
import { type TestActor, testActor } from '@sibyl/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClaimsFixture, openFixture } from '../claims-fixture.test.helper.ts'
import type { ClaimDetails, EvidenceEntry } from '../records/claim-records.ts'

const photo = Buffer.from('a picture of a stove')
const hash = `sha256:${createHash('sha256').update(photo).digest('hex')}`
const address = (path: string) => `http://localhost/files/content?path=${encodeURIComponent(path)}`

let fixture: ClaimsFixture
let collection: string
beforeAll(async () => {
  const env = { FILES_DIR: mkdtempSync(join(tmpdir(), 'sibyl-evidence-')) }
  fixture = await openFixture({ plugins: [files()], env })
  const made = await fixture.call<{ id: string }>('oracle', 'POST', '/v1/collections', {
    title: 'Photos',
    evaluation: 'person',
    submitters: 'anyone',
  })
  collection = made.body.id
})
afterAll(() => fixture[Symbol.asyncDispose]())

const store = async (actor: TestActor, path: string, content = photo, headers: Record<string, string> = {}) => {
  const answer = await actor.request(`/files/content?path=${encodeURIComponent(path)}`, {
    method: 'PUT',
    body: content,
    headers: { 'content-type': 'image/jpeg', ...headers },
  })
  expect([200, 201]).toContain(answer.status)
}

let count = 0
const submit = async (actor: TestActor, evidence: readonly EvidenceEntry[]) => {
  count += 1
  const json = { collection, data: { count }, evidence }
  const answer = await actor.request('/v1/claims', { json })
  expect(answer.status).toBe(201)
  const { id } = (await answer.json()) as ClaimDetails
  return async () => (await fixture.call<ClaimDetails>('oracle', 'GET', `/v1/claims/${id}`)).body
}

test('evidence that the submitter stored is linked for readers of the claim, until it changes', async () => {
  const { actor, app } = fixture.oracle
  await store(actor, 'claims/stove.jpg')
  const read = await submit(actor, [{ hash, mediaType: 'image/jpeg', url: address('claims/stove.jpg') }])
  const { stored } = await read()
  expect(stored).toEqual([{ hash, link: expect.stringMatching(/^\/files\/signed\/\d+\?expires=\d+&signature=/) }])
  const linked = await app.request(stored?.[0]?.link ?? '')
  expect(Buffer.from(await linked.arrayBuffer())).toEqual(photo)
  await store(actor, 'claims/stove.jpg', Buffer.from('another picture'), { 'if-match': '*' })
  expect(await read()).not.toHaveProperty('stored')
})

test('files of others are not linked, and other addresses are left as they are', async () => {
  const { actor, app } = fixture.oracle
  await store(actor, 'private.jpg')
  const other = testActor(app)
  await store(other, 'own.jpg')
  const urls = ['private.jpg', '../x', ' bad/', 'missing.jpg'].map(address)
  for (const url of [...urls, 'https://example.org/a.jpg', undefined]) {
    const read = await submit(other, [{ hash, mediaType: 'image/jpeg', ...(url !== undefined && { url }) }])
    expect(await read()).not.toHaveProperty('stored')
  }
  const altered = `sha256:${'0'.repeat(64)}`
  const read = await submit(other, [{ hash: altered, mediaType: 'image/jpeg', url: address('own.jpg') }])
  expect(await read()).not.toHaveProperty('stored')
})
