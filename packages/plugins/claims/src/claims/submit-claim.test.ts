import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClaimsFixture, dids, openFixture, stoveClaim } from '../claims-fixture.test.helper.ts'
import type { ClaimDetails } from '../records/claim-records.ts'
import type { CollectionRecord } from '../records/collection-records.ts'

let fixture: ClaimsFixture
let protocol: string
let open: CollectionRecord
let now = Date.UTC(2026, 10, 21)
beforeAll(async () => {
  fixture = await openFixture({ clock: { now: () => now } })
  protocol = await fixture.protocol(stoveClaim)
  open = await fixture.collection({ protocol })
})
afterAll(() => fixture[Symbol.asyncDispose]())

const submit = (body: object, key: 'farm' | 'stranger' | 'oracle' | 'reader' = 'farm', headers = {}) =>
  fixture.call<ClaimDetails>(key, 'POST', '/v1/claims', body, headers)

const hash = (digit: string) => `sha256:${digit.repeat(64)}`

test('a claim is accepted as it was sent, and its submitter reads it', async () => {
  const evidence = [{ hash: hash('a'), mediaType: 'image/jpeg', name: 'stove.jpg', url: 'https://example.org/a.jpg' }]
  const sent = {
    collection: open.id,
    asset: await fixture.asset(protocol),
    type: 'usage',
    data: { hours: 3 },
    evidence,
  }
  const { status, body, headers } = await submit(sent)
  expect([status, headers.get('location')]).toEqual([201, `/v1/claims/${body.id}`])
  expect(body).toMatchObject({
    ...sent,
    uri: `urn:uuid:${body.id}`,
    submitter: dids.farm,
    channel: 'api',
    protocol,
    protocolVersion: 1,
    state: 'submitted',
    createdAt: '2026-11-21T00:00:00.000Z',
  })
  const read = await fixture.call('farm', 'GET', `/v1/claims/${body.uri}`)
  expect(read.body).toMatchObject({ ...body, transitions: [{ position: 1, action: 'submit', to: 'submitted' }] })
})

describe('the same submission twice is one claim:', () => {
  test('by its content, regardless of order and number format', async () => {
    const asset = await fixture.asset(protocol)
    const one = await submit({ collection: open.id, asset, data: { hours: 3, fuel: 'wood' } })
    const raw = `{"asset":"${asset}","data":{"fuel":"wood","hours":3.0},"collection":"${open.id}","type":"claim"}`
    const again = await submit(JSON.parse(raw))
    expect([again.status, again.body.id]).toEqual([200, one.body.id])
    expect((await submit({ collection: open.id, asset, data: { hours: 4, fuel: 'wood' } })).status).toBe(201)
  })

  test('whatever the order of its evidence', async () => {
    const asset = await fixture.asset(protocol)
    const evidence = ['a', 'b', 'c'].map(digit => ({ hash: hash(digit), mediaType: 'image/png' }))
    const sent = { collection: open.id, asset, data: { hours: 3 } }
    const one = await submit({ ...sent, evidence })
    const again = await submit({ ...sent, evidence: evidence.toReversed() })
    expect([again.status, again.body.id]).toEqual([200, one.body.id])
  })

  test('by its Idempotency-Key, under which nothing else is taken', async () => {
    const asset = await fixture.asset(protocol)
    const headers = { 'idempotency-key': 'one' }
    const one = await submit({ collection: open.id, asset, data: { hours: 3 } }, 'farm', headers)
    expect((await submit({ collection: open.id, asset, data: { hours: 3 } }, 'farm', headers)).body.id).toBe(
      one.body.id,
    )
    const other = await submit({ collection: open.id, asset, data: { hours: 5 } }, 'farm', headers)
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
    const { id: anyone } = await fixture.collection({ protocol, submitters: 'anyone' })
    expect((await submit({ collection: anyone, asset, data: { hours: 5 } }, 'stranger', headers)).status).toBe(201)
  })

  test('when both arrive at once, and if the collection is closed by then', async () => {
    const { id: collection } = await fixture.collection({ protocol, quota: { all: 1 } })
    const body = { collection, asset: await fixture.asset(protocol), data: { hours: 3 } }
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit(body)))
    expect(new Set(answers.map(answer => answer.body.id)).size).toBe(1)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    await fixture.call('oracle', 'PATCH', `/v1/collections/${collection}`, { closed: true })
    expect((await submit(body)).status).toBe(200)
  })
})

describe('submission rights:', () => {
  test("only an asset's controller", async () => {
    const body = { collection: open.id, asset: await fixture.asset(protocol), data: { hours: 3 } }
    const { status, body: problem } = await submit(body, 'stranger')
    expect([status, problem.code]).toEqual([403, 'submitter_not_allowed'])
    expect((await submit(body, 'oracle')).status).toBe(403)
  })

  test('the submitters of the collection', async () => {
    const { id: collection } = await fixture.collection({ protocol, submitters: [dids.stranger] })
    const body = { collection, asset: await fixture.asset(protocol), data: { hours: 3 } }
    expect((await submit(body, 'stranger')).status).toBe(201)
    expect((await submit({ ...body, data: { hours: 4 } })).status).toBe(403)
  })

  test('the oracle under each of its DIDs, about what it controls', async () => {
    const { did } = fixture.oracle.app.identity
    const asset = await fixture.asset(protocol, { controller: did ?? '' })
    const { body } = await submit({ collection: open.id, asset, data: { hours: 3 } }, 'oracle')
    expect(body.submitter).toBe(fixture.oracle.app.identity.publicDid)
  })

  test('a key with the scope read is rejected', async () => {
    expect((await submit({ collection: open.id, data: {} }, 'reader')).body.code).toBe('scope_missing')
  })

  test('a caller who signs with their own key', async () => {
    const { actor } = fixture.oracle
    const asset = await fixture.asset(protocol, { controller: actor.did })
    const answer = await actor.request('/v1/claims', { json: { collection: open.id, asset, data: { hours: 3 } } })
    const claim = await answer.json()
    expect([answer.status, claim.submitter]).toEqual([201, actor.did])
    expect((await actor.request(`/v1/claims/${claim.id}`)).status).toBe(200)
  })
})

describe('every problem is reported at once, with its path:', () => {
  test.each<[string, (asset: string) => object, string[]]>([
    [
      'data',
      asset => ({ collection: open.id, asset, data: { hours: 'three', colour: 'red', fuel: 7 } }),
      ['/data/hours wrong_type', '/data/colour unknown_property', '/data/fuel wrong_type'],
    ],
    ['what is missing', asset => ({ collection: open.id, asset, data: {} }), ['/data/hours missing_property']],
    [
      'an unknown collection',
      asset => ({ collection: 'nowhere', asset, data: { hours: 'x' } }),
      ['/collection unknown_collection', '/data/hours wrong_type'],
    ],
    [
      'an unknown entity',
      () => ({ collection: open.id, asset: 'did:example:nothing', data: {} }),
      ['/asset unknown_entity'],
    ],
    ['no entity', () => ({ collection: open.id, data: {} }), ['/asset missing_property']],
    [
      'the same file twice',
      asset => ({
        collection: open.id,
        asset,
        data: { hours: 3 },
        evidence: [hash('b'), hash('b')].map(one => ({ hash: one, mediaType: 'image/png' })),
      }),
      ['/evidence/1/hash evidence_twice'],
    ],
    [
      'too much of it',
      asset => ({ collection: open.id, asset, data: { hours: 3, note: 'x'.repeat(70_000) } }),
      ['/data too_large'],
    ],
    [
      'text that no database keeps',
      asset => ({ collection: open.id, asset, data: { hours: 3, note: 'a\u0000b' } }),
      ['/data/note text_invalid'],
    ],
    [
      'half a character',
      asset => ({ collection: open.id, asset, data: { hours: 3, note: '\ud800' } }),
      ['/data/note text_invalid'],
    ],
  ])('%s', async (_, body, violations) => {
    const answer = await submit(body(await fixture.asset(protocol)), 'farm')
    expect(answer).toMatchObject({ status: 422, body: { code: 'claim_invalid' } })
    expect(answer.body.issues?.map(({ path, code }) => `${path} ${code}`)).toEqual(violations)
  })

  test('an entity out of use, of another protocol, outside of the window', async () => {
    const opensAt = new Date(now + 1_000).toISOString()
    const closesAt = new Date(now + 2_000).toISOString()
    const { id: collection } = await fixture.collection({ protocol, opensAt, closesAt })
    const asset = await fixture.asset(await fixture.protocol())
    await fixture.deactivate(asset)
    const violationsNow = async () =>
      (await submit({ collection, asset, data: { hours: 3 } })).body.issues?.map(({ code }) => code)
    expect(await violationsNow()).toEqual(['collection_closed', 'deactivated_entity', 'wrong_protocol'])
    now += 1_000
    expect(await violationsNow()).toEqual(['deactivated_entity', 'wrong_protocol'])
    now += 1_000
    expect(await violationsNow()).toEqual(['collection_closed', 'deactivated_entity', 'wrong_protocol'])
  })

  test('a protocol out of use, under which earlier claims are still judged', async () => {
    const own = await fixture.protocol(stoveClaim)
    const { id: collection } = await fixture.collection({ protocol: own })
    const asset = await fixture.asset(own)
    const { id } = (await submit({ collection, asset, data: { hours: 3 } })).body
    await fixture.deactivate(own, 'oracle')
    const { body } = await submit({ collection, asset, data: { hours: 4 } })
    expect(body.issues).toMatchObject([{ path: '/asset', code: 'deactivated_protocol' }])
    expect((await fixture.call('oracle', 'POST', `/v1/claims/${id}/evaluate`)).body.state).toBe('approved')
  })

  test.each([
    { hash: 'sha256:xyz', mediaType: 'image/png' },
    { hash: hash('a').toUpperCase(), mediaType: 'image/png' },
    { hash: hash('a'), mediaType: 'png' },
    { hash: hash('a'), mediaType: 'image/png', url: 'file:///etc/passwd' },
    { hash: hash('a'), mediaType: 'image/png', more: 1 },
  ])('evidence such as %j', async one => {
    const { status } = await submit({ collection: open.id, data: {}, evidence: [one] })
    expect(status).toBe(400)
  })
})

test.each<[string, object, string]>([
  ['names of JSON-LD', { data: { meter: [{ '@id': 'x' }] } }, '/data/meter/0/@id name_invalid'],
  ['what is too deep', { data: JSON.parse(`{"a":${'['.repeat(16)}${']'.repeat(16)}}`) }, 'too_deep'],
  [
    'too much evidence',
    {
      data: {},
      evidence: Array.from({ length: 20 }, (_, file) => ({
        hash: `sha256:${String(file).padStart(64, '0')}`,
        mediaType: 'image/png',
        url: `https://example.org/${'x'.repeat(1900)}`,
      })),
    },
    '/evidence too_large',
  ],
])('rejects a claim that no credential could express: %s', async (_, sent, violation) => {
  const { id: collection } = await fixture.collection({ evaluation: 'person', submitters: 'anyone' })
  const { status, body } = await submit({ collection, ...sent })
  expect([status, body.issues?.map(({ path, code }) => `${path} ${code}`)]).toEqual([
    422,
    [expect.stringContaining(violation)],
  ])
})

test('the largest claim becomes a credential', async () => {
  const { id: collection } = await fixture.collection({ evaluation: 'person', submitters: 'anyone' })
  const evidence = Array.from({ length: 16 }, (_, file) => ({
    hash: `sha256:${String(file).padStart(64, '0')}`,
    mediaType: 'image/png',
    url: `https://example.org/${'x'.repeat(1900)}`,
  }))
  const { id } = (await submit({ collection, data: { note: 'x'.repeat(65_000) }, evidence })).body
  await fixture.call('oracle', 'POST', `/v1/claims/${id}/evaluate`)
  const { body } = await fixture.call('oracle', 'POST', `/v1/claims/${id}/confirm`, {
    decision: 'approve',
    reason: 'Seen.',
  })
  const credential = encodeURIComponent(body.credential?.id ?? '')
  const kept = await fixture.call<object>('oracle', 'GET', `/credentials/${credential}`)
  expect((await fixture.call('oracle', 'POST', '/credentials/verify', kept.body)).body).toMatchObject({
    verified: true,
  })
})

test('a collection without a protocol takes claims about anything, under the protocol of each asset', async () => {
  const { id: collection } = await fixture.collection({ evaluation: 'person', submitters: 'anyone' })
  expect((await submit({ collection, data: { said: 'hello' } })).status).toBe(201)
  expect((await submit({ collection, asset: await fixture.asset(), data: { said: 'hello' } })).status).toBe(201)
  const { body } = await submit({ collection, asset: await fixture.asset(protocol), data: { said: 'hello' } })
  expect(body.issues).toMatchObject([{ path: '/data/said' }, { path: '/data/hours', code: 'missing_property' }])
})

describe('lists', () => {
  test('are paged and filtered, and each caller sees only their own', async () => {
    const { id: collection } = await fixture.collection({ protocol, evaluators: [dids.maker] })
    const asset = await fixture.asset(protocol)
    const made: string[] = []
    for (let hours = 1; hours <= 5; hours += 1)
      made.unshift((await fixture.claim({ collection, asset, data: { hours } })).id)
    type Page = { claims: ClaimDetails[]; next?: string }
    const list = (query: string, key: 'oracle' | 'farm' | 'maker' | 'stranger' | 'reader' = 'oracle') =>
      fixture.call<Page>(key, 'GET', `/v1/claims?${query}`)
    const first = await list(`collection=${collection}&limit=3`)
    expect(first.body.claims.map(({ id }) => id)).toEqual(made.slice(0, 3))
    const second = await list(`collection=${collection}&limit=3&cursor=${first.body.next}`)
    expect(second.body.claims.map(({ id }) => id)).toEqual(made.slice(3))
    expect(second.body.next).toBeUndefined()
    expect((await list(`limit=3&cursor=${first.body.next}`)).body.code).toBe('cursor_invalid')
    expect((await list('cursor=nonsense')).body.code).toBe('cursor_invalid')
    const [, mark] = JSON.parse(Buffer.from(first.body.next ?? '', 'base64url').toString())
    const forged = Buffer.from(JSON.stringify(['\0', mark])).toString('base64url')
    expect((await list(`collection=${collection}&cursor=${forged}`)).body.code).toBe('cursor_invalid')

    await fixture.call('maker', 'POST', `/v1/claims/${made[0]}/evaluate`)
    const ids = async (query: string, key?: 'farm' | 'maker' | 'stranger' | 'reader') =>
      (await list(`collection=${collection}&${query}`, key)).body.claims.map(({ id }) => id)
    expect(await ids('state=rejected')).toEqual([])
    expect(await ids('state=approved')).toEqual([made[0]])
    expect(await ids('state=waiting')).toEqual(made.slice(1))
    expect(await ids(`asset=${asset}&submitter=${dids.farm}`)).toEqual(made)
    expect(await ids(`submitter=${dids.stranger}`)).toEqual([])
    for (const key of ['farm', 'maker', 'reader'] as const) expect(await ids('', key)).toEqual(made)
    expect(await ids('', 'stranger')).toEqual([])
    expect((await fixture.call('stranger', 'GET', `/v1/claims/${made[0]}`)).status).toBe(404)
  })
})
