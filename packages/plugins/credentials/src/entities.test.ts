import { createSigningKey } from '@sibyl/identity'
import { entities } from '@sibyl/plugin-entities'
import { testActor } from '@sibyl/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { credentials } from './credentials.ts'
import { type CredentialsFixture, openFixture, sampleRequest } from './testing/credentials-fixture.test.helper.ts'
import { foreignIssuer } from './testing/foreign-issuer.test.helper.ts'

const owner = createSigningKey()

let fixture: CredentialsFixture
beforeAll(async () => {
  fixture = await openFixture({ plugins: [entities(), credentials()] })
})
afterAll(() => fixture[Symbol.asyncDispose]())

const register = async (controller?: string): Promise<string> => {
  const { body } = await fixture.call('POST', '/v1/entities', {
    type: 'CookStove',
    ...(controller ? { controller } : {}),
  })
  return body.did
}

const entryOf = async (did: string) =>
  (await fixture.call('GET', `/v1/entities/${encodeURIComponent(did)}`)).body.verifiableCredential

test('a credential stands at the entity that it is about, until it is revoked', async () => {
  const did = await register()
  const { id } = await fixture.issue({ subject: { id: did, meals: 3 } })
  const issuer = fixture.oracle.app.identity.publicDid
  expect(await entryOf(did)).toEqual([{ id, type: sampleRequest.type, issuer }])
  await fixture.call('POST', `/credentials/${id}/suspend`, { reason: 'a doubt' })
  expect(await entryOf(did)).toHaveLength(1)
  await fixture.call('POST', `/credentials/${id}/revoke`, { reason: 'sold' })
  expect(await entryOf(did)).toEqual([])
})

const foreign = foreignIssuer()
const withCredentials = (given: readonly unknown[]) =>
  fixture.call('POST', '/v1/entities', { type: 'CookStove', verifiableCredential: given })

test('an entity is registered with entries, shown as unverified, and with whole credentials that verify', async () => {
  const whole = await foreign.issue()
  const stated = { type: 'SafetyCertificate', issuer: 'did:web:lab.example' }
  const { status, body } = await withCredentials([stated, whole])
  const entries = [
    { ...stated, verified: false },
    { id: whole.id, type: 'Certificate', issuer: foreign.did },
  ]
  expect([status, body.verifiableCredential]).toEqual([201, entries])
  expect(await entryOf(body.did)).toEqual(entries)
  const history = await fixture.call('GET', `/v1/entities/${encodeURIComponent(body.did)}?version=1`)
  expect(history.body.verifiableCredential).toEqual(entries)
  const proof = await fixture.call('GET', `/v1/entities/${encodeURIComponent(body.did)}/proof`)
  expect(proof.body).toMatchObject({ verified: true })
})

test('a whole credential that does not verify, and what is neither form, are rejected', async () => {
  const whole = await foreign.issue()
  const altered = { ...whole, credentialSubject: { id: 'did:web:thief.example', level: 9 } }
  const refused = await withCredentials([whole, altered])
  expect([refused.status, refused.body.issues]).toEqual([
    422,
    [{ path: '/verifiableCredential/1', code: 'credential_unverified', message: expect.stringMatching(/signature/) }],
  ])
  for (const given of [
    { type: 'A' },
    { type: 'A', issuer: 'nobody' },
    { type: 'A', issuer: 'did:web:lab.example', verified: true },
    { '@context': [], type: 'A', issuer: 'did:web:lab.example' },
  ]) {
    expect((await withCredentials([given])).status).toBe(400)
  }
})

test('an entity that is not registered gets none', async () => {
  const did = `${fixture.oracle.app.identity.publicDid}:entities:${'0'.repeat(26)}`
  const { status, body } = await fixture.call('POST', '/credentials/issue', { ...sampleRequest, subject: { id: did } })
  expect([status, body.code, body.issues[0].path]).toEqual([422, 'credential_invalid', '/subject/id'])
})

test('an entity has one name, however its port is written', async () => {
  const [did, gone] = [await register(), await register()]
  const [alias, goneAlias] = [did, gone].map(one => one.replace('%3A', ':'))
  expect(alias).not.toBe(did)
  const { id, credential } = await fixture.issue({ subject: { id: alias, meals: 4 } })
  expect(credential.credentialSubject).toMatchObject({ id: did, meals: 4 })
  const list = await fixture.call('GET', `/credentials?subject=${encodeURIComponent(alias ?? '')}`)
  expect(list.body.credentials).toMatchObject([{ id, subject: did }])
  await fixture.call('POST', `/credentials/${id}/revoke`, { reason: 'sold' })
  expect(await entryOf(did)).toEqual([])
  await fixture.call('DELETE', `/v1/entities/${encodeURIComponent(gone)}`, undefined, undefined, { 'if-match': '"1"' })
  for (const subject of [gone, goneAlias, `${alias}x`]) {
    const refused = await fixture.call('POST', '/credentials/issue', { ...sampleRequest, subject: { id: subject } })
    expect([refused.status, refused.body.code]).toEqual([422, 'credential_invalid'])
  }
})

test('callers who may read an entity read its credentials, and others none', async () => {
  const did = await register(owner.did)
  const { id } = await fixture.issue({ subject: { id: did } })
  const controller = testActor(fixture.oracle.app, Date.now, owner)
  expect((await controller.request(`/credentials/${id}`)).status).toBe(200)
  const list = await (await controller.request(`/credentials?subject=${encodeURIComponent(did)}`)).json()
  expect(list).toMatchObject({ credentials: [{ id }] })
  const stranger = testActor(fixture.oracle.app)
  const reading = { abilities: ['credentials/read', 'entities/read'] }
  for (const path of [`/credentials/${id}`, `/credentials?subject=${encodeURIComponent(did)}`]) {
    expect((await stranger.request(path, reading)).status).toBe(200)
    expect((await stranger.request(path, { abilities: ['credentials/read'] })).status).toBeGreaterThanOrEqual(403)
  }
  const { id: ofPerson } = await fixture.issue({ subject: { id: owner.did } })
  expect((await stranger.request(`/credentials/${ofPerson}`, reading)).status).toBe(404)
})

test('the agent resolves the DID of an entity', async () => {
  const did = await register(owner.did)
  expect((await fixture.oracle.chat(`Resolve ${did}`)).text).toContain(`${did} was resolved.`)
})
