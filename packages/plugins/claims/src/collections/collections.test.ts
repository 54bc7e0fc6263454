import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClaimsFixture, dids, openFixture, stoveClaim } from '../claims-fixture.test.helper.ts'
import type { CollectionRecord } from '../records/collection-records.ts'

let fixture: ClaimsFixture
let protocol: string
beforeAll(async () => {
  fixture = await openFixture()
  protocol = await fixture.protocol(stoveClaim)
})
afterAll(() => fixture[Symbol.asyncDispose]())

const make = (creation: object, key: 'oracle' | 'farm' | 'maker' | 'reader' = 'oracle') =>
  fixture.call<CollectionRecord>(key, 'POST', '/v1/collections', { title: 'Stoves', ...creation })

test('a collection has the defaults that it does not say, and is read again', async () => {
  const { status, body, headers } = await make({ protocol })
  expect([status, headers.get('location')]).toEqual([201, `/v1/collections/${body.id}`])
  const oracle = fixture.oracle.app.identity.publicDid
  expect(body).toMatchObject({
    title: 'Stoves',
    controller: oracle,
    protocol,
    quota: {},
    taken: 0,
    closed: false,
    submitters: 'controllers',
    evaluators: [oracle],
    evaluation: 'rules',
    confirm: false,
    conditions: [],
    credentialType: 'ClaimCredential',
  })
  expect((await fixture.call('reader', 'GET', `/v1/collections/${body.id}`)).body).toEqual(body)
})

test('collections are listed by protocol, the newest first', async () => {
  const own = await fixture.protocol(stoveClaim)
  const made = [(await make({ protocol: own })).body.id, (await make({ protocol: own })).body.id].toReversed()
  type Page = { collections: CollectionRecord[]; next?: string }
  const first = await fixture.call<Page>('reader', 'GET', `/v1/collections?protocol=${own}&limit=1`)
  const next = await fixture.call<Page>(
    'reader',
    'GET',
    `/v1/collections?protocol=${own}&limit=1&cursor=${first.body.next}`,
  )
  expect([...first.body.collections, ...next.body.collections].map(({ id }) => id)).toEqual(made)
  expect(next.body.next).toBeUndefined()
})

describe('every problem of a collection is reported at once:', () => {
  const condition = { id: 'dry', path: '/fuel', operator: 'equals', value: 'wood', reason: 'Wood alone.' }
  test.each<[string, () => Promise<object>, string[]]>([
    [
      'what is not known',
      async () => ({ protocol: 'did:example:none', verifier: 'did:example:none' }),
      ['/protocol unknown_protocol', '/verifier unknown_entity'],
    ],
    [
      'a verifier that is no oracle',
      async () => ({ protocol, verifier: await fixture.asset(protocol) }),
      ['/verifier wrong_kind'],
    ],
    [
      'a window that never opens',
      async () => ({ protocol, opensAt: '2026-11-21T10:00:00Z', closesAt: '2026-11-21T11:00:00+02:00' }),
      ['/closesAt window_invalid'],
    ],
    [
      'a window beyond the years',
      async () => ({ protocol, opensAt: '0000-01-01T00:00:00+01:00', closesAt: '9999-12-31T23:59:59-01:00' }),
      ['/opensAt window_invalid', '/closesAt window_invalid'],
    ],
    [
      'conditions that do not fit its protocol',
      async () => ({
        protocol,
        conditions: [
          { ...condition, path: '/colour' },
          { ...condition, id: 'used' },
          { ...condition, id: 'more', operator: 'at-least' },
        ],
      }),
      [
        '/conditions/0/path unknown_property',
        '/conditions/2/value wrong_type',
        '/conditions/2/operator wrong_type',
        '/conditions/1/id id_taken',
      ],
    ],
    [
      'a protocol out of use',
      async () => {
        const own = await fixture.protocol(stoveClaim)
        await fixture.deactivate(own, 'oracle')
        return { protocol: own }
      },
      ['/protocol deactivated_protocol'],
    ],
    ['nothing to judge by', async () => ({ protocol: await fixture.protocol() }), ['/evaluation conditions_missing']],
  ])('%s', async (_, creation, violations) => {
    const { status, body } = await make(await creation())
    expect([status, body.code]).toEqual([422, 'collection_invalid'])
    expect(body.issues?.map(({ path, code }) => `${path} ${code}`)).toEqual(violations)
  })

  test.each([
    { title: '' },
    { evaluators: [] },
    { evaluators: ['nobody'] },
    { quota: { all: -1 } },
    { quota: { perAsset: 0.5 } },
    { conditions: [{ ...condition, path: 'fuel' }] },
    { conditions: [{ ...condition, value: { deep: true } }] },
    { opensAt: 'tomorrow' },
    { credentialType: 'clean cooking' },
    { credentialType: 'cleanCooking' },
    { credentialType: 'VerifiableCredential' },
    { unknown: 1 },
  ])('%j', async creation => {
    expect((await make(creation)).status).toBe(400)
  })
})

describe('creation rights:', () => {
  test.each([
    ['oracle', 201, undefined],
    ['maker', 201, undefined],
    ['farm', 403, 'collection_maker_not_allowed'],
    ['reader', 403, 'scope_missing'],
  ] as const)('%s %i', async (key, status, code) => {
    const answer = await make({ protocol }, key)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  test('callers who choose their own abilities are rejected', async () => {
    const answer = await fixture.oracle.actor.request('/v1/collections', { json: { title: 'Mine', protocol } })
    expect([answer.status, (await answer.json()).code]).toEqual([403, 'collection_maker_not_allowed'])
  })
})

describe('a change', () => {
  test('closes, opens, and sets window and quota, only for the controller', async () => {
    const { id } = (await make({ protocol, quota: { all: 5 } }, 'maker')).body
    const change = (patch: object, key: 'maker' | 'oracle' = 'maker') =>
      fixture.call<CollectionRecord>(key, 'PATCH', `/v1/collections/${id}`, patch)
    expect((await change({ closed: true }, 'oracle')).body.code).toBe('collection_controller_needed')
    const closesAt = '2030-01-01T00:00:00.000Z'
    const { body } = await change({ closed: true, quota: { perAsset: 2 }, closesAt })
    expect(body).toMatchObject({ closed: true, closesAt, controller: dids.maker })
    expect(body.quota).toEqual({ all: 5, perAsset: 2 })
    expect((await change({ quota: { all: null } })).body.quota).toEqual({ perAsset: 2 })
    const opened = (await change({ closed: false, quota: null, closesAt: null })).body
    expect(opened).toMatchObject({ closed: false, quota: {} })
    expect(opened).not.toHaveProperty('closesAt')
    expect((await change({ opensAt: closesAt, closesAt: '2029-01-01T00:00:00Z' })).body.code).toBe('collection_invalid')
    expect((await change({ evaluators: [dids.maker] })).status).toBe(400)
  })

  test('concurrently with another one reverts none of it', async () => {
    const { id } = (await make({ protocol }, 'maker')).body
    const change = (patch: object) => fixture.call<CollectionRecord>('maker', 'PATCH', `/v1/collections/${id}`, patch)
    await Promise.all([change({ closed: true }), change({ quota: { all: 5 } })])
    const { body } = await fixture.call('reader', 'GET', `/v1/collections/${id}`)
    expect(body).toMatchObject({ closed: true, quota: { all: 5 } })
  })

  test('of one that is not there is not found', async () => {
    expect((await fixture.call('maker', 'PATCH', '/v1/collections/none', { closed: true })).body.code).toBe(
      'collection_not_found',
    )
  })
})
