import { expect, test } from 'vitest'
import { bootEntities, keys } from '../writing/entity-routes.test.helper.ts'

const boot = async (options: Parameters<typeof bootEntities>[0] = {}) => {
  const oracle = await bootEntities(options)
  const get = async (path: string, headers: Record<string, string> = {}, key: string = keys.reader) => {
    const response = await oracle.app.request(path, { headers: { authorization: `Bearer ${key}`, ...headers } })
    const text = await response.text()
    return { status: response.status, etag: response.headers.get('etag'), body: text === '' ? '' : JSON.parse(text) }
  }
  return { ...oracle, get, pathOf: (did: string) => `/v1/entities/${encodeURIComponent(did)}` }
}

test('a read returns the entity as created, and 304 if the version is known', async () => {
  await using oracle = await boot()
  const made = await oracle.create({ type: 'CookStove', properties: { fuel: 'wood' } })
  const { get } = oracle
  const path = made.headers.get('location')!
  expect(await get(path)).toEqual({ status: 200, etag: '"1"', body: made.body })
  expect((await get(oracle.pathOf(made.body.did))).body).toEqual(made.body)
  for (const known of ['"1"', 'W/"1"', '"7", "1"', '*']) {
    expect(await get(path, { 'if-none-match': known })).toEqual({ status: 304, etag: '"1"', body: '' })
  }
  expect((await get(path, { 'if-none-match': '"2"' })).status).toBe(200)
  await oracle.patch(made.body.did, 1, { properties: { fuel: 'lpg' } })
  expect(await get(path, { 'if-none-match': '"1"' })).toMatchObject({ status: 200, etag: '"2"' })
})

test('with `at` it returns the state of that time, and 404 before its creation', async () => {
  let now = Date.UTC(2026, 10, 21)
  await using oracle = await boot({ clock: { now: () => now } })
  const { body: made } = await oracle.create({ type: 'CookStove', properties: { fuel: 'wood' } })
  now += 1
  await oracle.patch(made.did, 1, { properties: { fuel: 'lpg' } })
  const at = (time: string) => oracle.get(`${oracle.pathOf(made.did)}?${new URLSearchParams({ at: time })}`)
  expect(await at(made.createdAt)).toEqual({ status: 200, etag: '"1"', body: made })
  expect(await at(made.createdAt.replace('Z', '+00:00'))).toMatchObject({ status: 200, etag: '"1"' })
  expect(await at('2999-01-01T00:00:00Z')).toMatchObject({ status: 200, etag: '"2"' })
  expect(await at('2001-01-01T00:00:00Z')).toMatchObject({ status: 404, body: { code: 'entity_not_found' } })
  for (const time of ['yesterday', '2026-11-21', '1763700000000']) {
    expect(await at(time)).toMatchObject({ status: 400, body: { code: 'input_invalid' } })
  }
})

test('other DIDs are not found', async () => {
  await using oracle = await boot()
  const { body: made } = await oracle.create({ type: 'CookStove' })
  const other = made.did.replace('did:web:localhost', 'did:web:elsewhere')
  for (const did of [other, 'did:key:z6Mk', 'nonsense', `${made.did}x`, made.did.slice(0, -1)]) {
    expect(await oracle.get(oracle.pathOf(did)), did).toMatchObject({ status: 404, body: { code: 'entity_not_found' } })
  }
})

test('lists are narrowed, paged, and say what they cannot be narrowed by', async () => {
  await using oracle = await boot()
  for (const [fuel, ports] of [
    ['wood', 4],
    ['lpg', 4],
    ['wood & straw', 1],
  ]) {
    await oracle.create({ type: 'CookStove', properties: { fuel, ports, 'odd.name': true } })
  }
  const list = (query: string) => oracle.get(`/v1/entities?${query}`)
  const fuels = async (query: string) =>
    (await list(query)).body.entities.map((entity: { properties: { fuel: string } }) => entity.properties.fuel)
  expect(await fuels('')).toEqual(['wood & straw', 'lpg', 'wood'])
  expect(await fuels('type=CookStove&property.ports=4&status=active')).toEqual(['lpg', 'wood'])
  expect(await fuels('property.fuel=wood+%26+straw&property.odd.name=true')).toEqual(['wood & straw'])
  expect(await fuels('class=Physical+Twins&updatedSince=2026-01-01T00:00:00%2B02:00')).toHaveLength(3)
  expect(await fuels('property.fuel=')).toEqual([])

  const first = (await list('property.ports=4&limit=1')).body
  expect(first.entities).toHaveLength(1)
  const next = encodeURIComponent(first.next)
  expect((await list(`limit=200&cursor=${next}&property.ports=4`)).body).toMatchObject({
    entities: [{ properties: { fuel: 'wood' } }],
  })
  for (const query of [`cursor=${next}`, `property.ports=1&cursor=${next}`, 'cursor=nonsense', 'cursor=MQ']) {
    expect(await list(query), query).toMatchObject({ status: 400, body: { code: 'cursor_invalid' } })
  }
  for (const [query, path, code] of [
    ['propertyfuel=wood', '/propertyfuel', 'unknown_filter'],
    ['__proto__=1', '/__proto__', 'unknown_filter'],
    ['property.a=1&property.a=2', '/property.a', 'repeated_value'],
    ['property.=1', '/property.', 'unknown_filter'],
    [Array.from({ length: 11 }, (_, number) => `property.a${number}=1`).join('&'), '', 'too_many'],
  ] as const) {
    const { status, body } = await list(query)
    expect([status, body.code], query).toEqual([400, 'filter_invalid'])
    expect(body.issues[0], query).toMatchObject({ path, code })
  }
  for (const query of [
    'type=A&type=B',
    'limit=0',
    'limit=201',
    'limit=x',
    'class=Twins',
    'status=lost',
    'updatedSince=now',
  ]) {
    expect(await list(query), query).toMatchObject({ status: 400, body: { code: 'input_invalid' } })
  }
})

test('reading takes the scope, and a key or a UCAN', async () => {
  await using oracle = await boot()
  const { body: made } = await oracle.create({ type: 'CookStove' })
  for (const path of ['/v1/entities', oracle.pathOf(made.did)]) {
    expect((await oracle.get(path, {}, keys.ben)).body.code, path).toBe('scope_missing')
    expect((await oracle.get(path, {}, 'a-key-that-nobody-has-001')).status, path).toBe(401)
    expect((await oracle.actor().request(path)).status, path).toBe(200)
  }
})
