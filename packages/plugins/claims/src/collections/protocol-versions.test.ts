import type { EntityRecord } from '@sibyl/plugin-entities/records'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClaimsFixture, type Key, openFixture, stoveClaim } from '../claims-fixture.test.helper.ts'
import type { ClaimDetails } from '../records/claim-records.ts'
import type { CollectionRecord } from '../records/collection-records.ts'

let fixture: ClaimsFixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** A rubric that wants so many hours. */
const hours = (value: number) => ({ ...stoveClaim, rubric: [{ ...stoveClaim.rubric[0]!, value }] })

const patch = async (did: string, version: number, body: object, key: Key = 'oracle') =>
  fixture.call<EntityRecord>(key, 'PATCH', `/v1/entities/${encodeURIComponent(did)}`, body, {
    'if-match': `"${version}"`,
  })

const change = async (id: string, body: object) =>
  fixture.call<CollectionRecord>('oracle', 'PATCH', `/v1/collections/${id}`, body)

const submit = (collection: string, asset: string, data: object = { hours: 3 }) =>
  fixture.call<ClaimDetails>('farm', 'POST', '/v1/claims', { collection, asset, data })

const evaluate = async (id: string) => (await fixture.call('oracle', 'POST', `/v1/claims/${id}/evaluate`)).body

test('a collection takes assets of the version that was the newest when it was made, or of a newer one', async () => {
  const protocol = await fixture.protocol(hours(2))
  const old = await fixture.asset(protocol)
  await fixture.newVersion(protocol, hours(100))
  const collection = await fixture.collection({ protocol })
  expect(collection).toMatchObject({ leastProtocolVersion: 2, acceptedProtocolVersion: 2 })
  const refused = await submit(collection.id, old)
  expect([refused.status, refused.body.issues?.map(({ path, code }) => `${path} ${code}`)]).toEqual([
    422,
    ['/asset outdated_version'],
  ])
  expect((await patch(old, 1, { protocolVersion: 2 }, 'farm')).status).toBe(200)
  const taken = await submit(collection.id, old)
  expect(taken.body.protocolVersion).toBe(2)
  expect((await evaluate(taken.body.id)).state).toBe('rejected')
})

test('another caller gets no credential by a rubric that was tightened since', async () => {
  const protocol = await fixture.protocol(hours(2))
  await fixture.newVersion(protocol, hours(100))
  const { id } = await fixture.collection({ protocol })
  const asset = await fixture.call<EntityRecord>('farm', 'POST', '/v1/entities', {
    type: 'CookStove',
    protocol,
    protocolVersion: 1,
  })
  expect(asset.body.code).toBe('protocol_version_superseded')
  const { did } = (await fixture.call<EntityRecord>('farm', 'POST', '/v1/entities', { type: 'CookStove', protocol }))
    .body
  const { body } = await submit(id, did)
  expect(await evaluate(body.id)).toMatchObject({ state: 'rejected', protocolVersion: 2 })
})

test('the least version is chosen, and raised, where the protocol has it', async () => {
  const protocol = await fixture.protocol(hours(2))
  const old = await fixture.asset(protocol)
  await fixture.newVersion(protocol, hours(1))
  const { id } = await fixture.collection({ protocol, leastProtocolVersion: 1 })
  const { body: claim } = await submit(id, old)
  expect(claim.protocolVersion).toBe(1)
  expect((await change(id, { leastProtocolVersion: 3 })).body.issues).toMatchObject([
    { path: '/leastProtocolVersion', code: 'unknown_version' },
  ])
  expect((await change(id, { leastProtocolVersion: 2 })).body).toMatchObject({ leastProtocolVersion: 2 })
  expect((await submit(id, old, { hours: 4 })).body.issues).toMatchObject([{ code: 'outdated_version' }])
  const held = await evaluate(claim.id)
  expect(held).toMatchObject({ state: 'evaluating', verdict: { decision: 'unsure' } })
  expect(held.verdict?.reasons).toContain('The collection now requires version 2 of the protocol or newer.')
  const make = (creation: object) =>
    fixture.call<CollectionRecord>('oracle', 'POST', '/v1/collections', { title: 'Stoves', ...creation })
  const condition = { id: 'used', path: '/hours', operator: 'at-least', value: 1, reason: 'Too short.' }
  expect((await make({ leastProtocolVersion: 1, conditions: [condition] })).body.issues).toMatchObject([
    { path: '/leastProtocolVersion', code: 'unknown_version' },
  ])
  expect((await make({ protocol, leastProtocolVersion: 3 })).body.issues).toMatchObject([{ code: 'unknown_version' }])
})

test('a retired version accepts no claims, and earlier ones wait for a user', async () => {
  const protocol = await fixture.protocol(hours(2))
  const { id } = await fixture.collection({ protocol })
  const asset = await fixture.asset(protocol)
  const { body: claim } = await submit(id, asset)
  await fixture.newVersion(protocol, hours(1))
  expect((await patch(protocol, 2, { retiredVersions: [1] })).body.retiredVersions).toEqual([1])
  expect((await submit(id, asset, { hours: 5 })).body.issues).toMatchObject([
    { path: '/asset', code: 'retired_version' },
  ])
  const held = await evaluate(claim.id)
  expect(held).toMatchObject({ state: 'evaluating', verdict: { decision: 'unsure' } })
  expect(held.verdict?.reasons).toContain('Version 1 of the protocol was retired.')
})

test('a controller of the protocol who does not control the collection weakens nothing without its controller', async () => {
  const body = { type: 'Protocol', properties: {}, claim: hours(100) }
  const protocol = (await fixture.call<EntityRecord>('stranger', 'POST', '/v1/entities', body)).body.did
  const { id } = await fixture.collection({ protocol })
  expect((await patch(protocol, 1, { claim: hours(1) }, 'stranger')).status).toBe(200)
  const asset = await fixture.asset(protocol)
  const claim = async (value: number) => (await submit(id, asset, { hours: value })).body
  const held = await evaluate((await claim(3)).id)
  expect(held).toMatchObject({ state: 'evaluating', protocolVersion: 2, verdict: { decision: 'unsure' } })
  expect(held).not.toHaveProperty('credential')
  expect(held.verdict?.reasons.at(-1)).toContain('has not accepted version 2 of the protocol')
  expect(await evaluate((await claim(0)).id)).toMatchObject({ state: 'rejected' })
  expect((await change(id, { acceptedProtocolVersion: 2 })).body.acceptedProtocolVersion).toBe(2)
  expect(await evaluate((await claim(4)).id)).toMatchObject({ state: 'approved', credential: { status: 'issued' } })
})

test('the controller of both accepts a new version by making it', async () => {
  const protocol = await fixture.protocol(hours(2))
  const { id } = await fixture.collection({ protocol })
  await fixture.newVersion(protocol, hours(1))
  const { body } = await submit(id, await fixture.asset(protocol))
  expect(await evaluate(body.id)).toMatchObject({ state: 'approved', protocolVersion: 2 })
})

test('a collection from before has accepted what its protocol said when it was made', async () => {
  const body = { type: 'Protocol', properties: {}, claim: hours(2) }
  const protocol = (await fixture.call<EntityRecord>('stranger', 'POST', '/v1/entities', body)).body.did
  const { id } = await fixture.collection({ protocol })
  const first = await submit(id, await fixture.asset(protocol))
  await fixture.forgetVersions(id)
  expect((await fixture.call('oracle', 'GET', `/v1/collections/${id}`)).body).not.toHaveProperty(
    'acceptedProtocolVersion',
  )
  expect(await evaluate(first.body.id)).toMatchObject({ state: 'approved' })
  expect((await patch(protocol, 1, { claim: hours(1) }, 'stranger')).status).toBe(200)
  const later = await submit(id, await fixture.asset(protocol))
  expect(await evaluate(later.body.id)).toMatchObject({ state: 'evaluating', verdict: { decision: 'unsure' } })
})

test('whether a person confirms can be changed later', async () => {
  const { id } = await fixture.collection({ protocol: await fixture.protocol(hours(2)), evaluation: 'person' })
  expect((await change(id, { confirm: true })).body).toMatchObject({ confirm: true, evaluation: 'person' })
  expect((await change(id, { closed: true })).body).toMatchObject({ confirm: true, closed: true })
})
