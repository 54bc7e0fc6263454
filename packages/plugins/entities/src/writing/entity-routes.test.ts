import { expect, test } from 'vitest'
import { ada, ben, bootEntities, keys } from './entity-routes.test.helper.ts'

const stoveProtocol = {
  type: 'Protocol',
  properties: { serial: { type: 'string', required: true }, power: 'number' },
  relationships: { verifier: 'OracleEntity' },
}

const issuesOf = (answer: { readonly body: { issues?: readonly { path: string; code: string }[] } }) =>
  answer.body.issues?.map(({ path, code }) => `${path} ${code}`)

test('an entity is registered under its protocol, and answered with where and what it is', async () => {
  await using oracle = await bootEntities()
  const protocol = await oracle.create(stoveProtocol)
  expect(protocol).toMatchObject({ status: 201, body: { relationships: { verifier: 'OracleEntity' } } })
  const verifier = await oracle.create({ type: 'OracleEntity' }, keys.ben)
  const created = await oracle.create(
    {
      type: 'CookStove',
      protocol: protocol.body.did,
      properties: { serial: 'S-1', power: 4.5 },
      relationships: { verifier: verifier.body.did },
      services: [{ id: '#readings', type: 'Telemetry', endpoint: 'https://stoves.example/1' }],
      alsoKnownAs: ['urn:serial:S-1'],
    },
    keys.ada,
  )
  const { did } = created.body
  expect(did).toMatch(/^did:web:localhost(%3A\d+)?:entities:[0-9a-hjkmnp-tv-z]{26}$/)
  expect(created.headers.get('location')).toBe(`/v1/entities/${did.replaceAll('%', '%25')}`)
  expect(created.headers.get('etag')).toBe('"1"')
  expect(created).toMatchObject({
    status: 201,
    body: {
      type: 'CookStove',
      controller: ada,
      domainClass: 'Physical Twins',
      status: 'active',
      protocol: protocol.body.did,
      protocolVersion: 1,
      properties: { serial: 'S-1', power: 4.5 },
      relationships: { verifier: [verifier.body.did] },
      services: [{ id: '#readings', type: 'Telemetry', endpoint: 'https://stoves.example/1' }],
      verifiableCredential: [],
      alsoKnownAs: ['urn:serial:S-1'],
      version: 1,
    },
  })
})

test('every problem of a creation is reported at once, with its path, and nothing is stored', async () => {
  await using oracle = await bootEntities()
  const protocol = await oracle.create(stoveProtocol)
  const device = await oracle.create({ type: 'Device' })
  const refused = await oracle.create({
    type: 'CookStove',
    protocol: protocol.body.did,
    properties: { power: 'much', colour: 'red' },
    relationships: { verifier: [device.body.did, 'did:web:elsewhere.example'], owner: device.body.did },
    services: [
      { id: '#a', type: 'A', endpoint: 'https://a.example' },
      { id: '#a', type: 'B', endpoint: 'https://b.example' },
    ],
    membershipGroups: ['Elders'],
    claim: {},
  })
  expect(refused).toMatchObject({ status: 422, body: { code: 'entity_invalid' } })
  expect(issuesOf(refused)).toEqual(
    expect.arrayContaining([
      '/membershipGroups not_allowed_here',
      '/claim not_allowed_here',
      '/services/1/id repeated_value',
      '/properties/power wrong_type',
      '/properties/colour unknown_property',
      '/properties/serial missing_property',
      '/relationships/verifier/0 wrong_kind',
      '/relationships/verifier/1 unknown_target',
      '/relationships/owner unknown_relationship',
    ]),
  )
})

test('a protocol must be one of this oracle, in use, and have the version', async () => {
  await using oracle = await bootEntities()
  const { did } = (await oracle.create(stoveProtocol)).body
  const device = (await oracle.create({ type: 'Device' })).body.did
  const under = (protocol: string, more = {}) =>
    oracle.create({ type: 'CookStove', protocol, properties: { serial: 'S' }, ...more })
  const unknown = `${did.slice(0, -26)}${'0'.repeat(26)}`
  const foreign = ['did:web:elsewhere.example:entities:'.concat(did.slice(-26)), 'did:key:z6Mk', unknown, device]
  for (const protocol of foreign) {
    const refused = await under(protocol)
    expect([refused.status, refused.body.code, refused.body.issues[0].path]).toEqual([
      422,
      'protocol_unknown',
      '/protocol',
    ])
  }
  expect((await under(did, { protocolVersion: 2 })).body.issues[0].path).toBe('/protocolVersion')
  expect((await oracle.deactivate(did, 1)).status).toBe(200)
  expect((await under(did)).body.code).toBe('protocol_unknown')
})

test('a patch of a protocol makes a version, and entities stay on theirs until they are moved', async () => {
  await using oracle = await bootEntities()
  const protocol = (await oracle.create(stoveProtocol)).body.did
  const stove = (await oracle.create({ type: 'CookStove', protocol, properties: { serial: 'S' } })).body.did
  const changed = await oracle.patch(protocol, 1, {
    properties: { fuel: { type: 'string', required: true } },
    relationships: { keeper: 'Organisation', verifier: null },
  })
  expect(changed.body.relationships).toEqual({ keeper: 'Organisation' })
  expect(changed.body.properties).toMatchObject({ power: 'number', fuel: { required: true } })
  expect((await oracle.patch(stove, 1, { properties: { power: 2 } })).body).toMatchObject({
    protocolVersion: 1,
    version: 2,
  })
  expect(issuesOf(await oracle.patch(stove, 2, { protocolVersion: 2 }))).toEqual(['/properties/fuel missing_property'])
  const moved = await oracle.patch(stove, 2, { protocolVersion: 2, properties: { fuel: 'wood' } })
  expect(moved).toMatchObject({ status: 200, body: { protocolVersion: 2, version: 3 } })
  const fresh = await oracle.create({ type: 'CookStove', protocol, properties: { serial: 'T', fuel: 'wood' } })
  expect(fresh.body.protocolVersion).toBe(2)
  const services = [{ id: '#docs', type: 'Docs', endpoint: 'https://docs.example' }]
  expect((await oracle.patch(protocol, 2, { services })).body.version).toBe(3)
  expect(
    (await oracle.create({ type: 'CookStove', protocol, properties: { serial: 'U', fuel: 'x' } })).body.protocolVersion,
  ).toBe(2)
  expect(issuesOf(await oracle.patch(protocol, 3, { properties: { fuel: 'colour' } }))?.[0]).toMatch(
    /^\/properties\/fuel/,
  )
})

test('only its controller changes an entity, from the state that is there', async () => {
  await using oracle = await bootEntities()
  const { did } = (await oracle.create({ type: 'Device', properties: { a: 1, b: { c: 2, d: 3 } } }, keys.ada)).body
  const path = `/v1/entities/${encodeURIComponent(did)}`
  const body = { properties: { a: 2 } }
  expect((await oracle.send('PATCH', path, { body, key: keys.ada })).body.code).toBe('if_match_missing')
  expect((await oracle.send('DELETE', path, { key: keys.ada })).status).toBe(428)
  expect((await oracle.patch(did, 1, body, keys.ben)).body).toMatchObject({ status: 403, code: 'not_controller' })
  expect((await oracle.patch(did, 1, body, keys.oracle)).body.code).toBe('not_controller')
  expect((await oracle.patch(did, 1, body, keys.reader)).body.code).toBe('scope_missing')
  expect((await oracle.patch(did, 2, body, keys.ada)).body).toMatchObject({ status: 412, code: 'etag_stale' })
  expect((await oracle.patch(did, 'v1', body, keys.ada)).status).toBe(412)
  const patched = await oracle.patch(did, 1, { properties: { a: null, b: { c: null, e: [1] } } }, keys.ada)
  expect(patched).toMatchObject({ status: 200, body: { properties: { b: { d: 3, e: [1] } }, version: 2 } })
  expect(patched.headers.get('etag')).toBe('"2"')
  expect(patched.body.properties).not.toHaveProperty('a')
  const unchanged = await oracle.patch(did, 2, { properties: { b: { d: 3 } } }, keys.ada)
  expect(unchanged).toMatchObject({ status: 200, body: { version: 2 } })
  const given = await oracle.patch(did, 2, { controller: ben }, keys.ada)
  expect(given.body).toMatchObject({ controller: ben, version: 3 })
  expect((await oracle.patch(did, 3, body, keys.ada)).status).toBe(403)
  expect((await oracle.patch(did, 3, body, keys.ben)).status).toBe(200)
  expect((await oracle.patch(`${did.slice(0, -26)}${'0'.repeat(26)}`, 1, body)).body.code).toBe('entity_not_found')
  expect((await oracle.patch('did:web:elsewhere.example', 1, body)).body.code).toBe('entity_not_found')
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}`, index]))
  expect(issuesOf(await oracle.patch(did, 4, { properties: many }, keys.ben))).toEqual(['/properties too_many'])
  const anyState = await oracle.send('PATCH', path, {
    body: { services: null },
    key: keys.ben,
    headers: { 'if-match': '*' },
  })
  expect(anyState.status).toBe(200)
  const compressed = {
    body: { properties: { a: 7 } },
    key: keys.ben,
    headers: { 'if-match': `W/"${anyState.body.version}"` },
  }
  expect((await oracle.send('PATCH', path, compressed)).status).toBe(200)
  expect((await oracle.send('PATCH', path, compressed)).body.code).toBe('etag_stale')
})

test('a caller who signs UCANs acts for themselves; the did:key and did:web of the oracle are one party', async () => {
  await using oracle = await bootEntities()
  const person = oracle.actor()
  const own = await person.request('/v1/entities', { json: { type: 'Device' } })
  const created = await own.json()
  expect([own.status, created.controller]).toEqual([201, person.did])
  expect((await oracle.patch(created.did, 1, { properties: {} })).status).toBe(403)
  const { did: key } = await (await oracle.app.request('/.well-known/oracle.json')).json()
  expect(key).toMatch(/^did:key:/)
  const device = (await oracle.create({ type: 'Device', controller: key })).body
  expect(device.controller).toMatch(/^did:web:/)
  expect((await oracle.patch(device.did, 1, { controller: key, properties: { a: 1 } })).body.controller).toBe(
    device.controller,
  )
})

test('an entity that is out of use does not change any more', async () => {
  await using oracle = await bootEntities()
  const { did } = (await oracle.create({ type: 'Device' })).body
  expect((await oracle.deactivate(did, 1)).body).toMatchObject({ status: 'deactivated', version: 2 })
  for (const again of [
    await oracle.deactivate(did, 2),
    await oracle.patch(did, 2, {}),
    await oracle.patch(did, 1, {}),
    await oracle.relate(did, 'partOf', [did]),
  ]) {
    expect(again.body).toMatchObject({ status: 409, code: 'entity_deactivated' })
  }
  const related = await oracle.create({ type: 'Device', relationships: { partOf: did } })
  expect(issuesOf(related)).toEqual(['/relationships/partOf/0 target_deactivated'])
})

test('edges are added and taken away, and never lead back along an acyclic relationship', async () => {
  await using oracle = await bootEntities()
  const [one, two, three] = await Promise.all(
    ['A', 'B', 'C'].map(async name => (await oracle.create({ type: 'Part', properties: { name } })).body.did as string),
  )
  expect((await oracle.relate(one!, 'partOf', [two!])).body).toMatchObject({
    relationships: { partOf: [two] },
    version: 2,
  })
  expect((await oracle.relate(one!, 'partOf', [two!, two!])).body.version).toBe(2)
  expect((await oracle.relate(two!, 'partOf', [three!])).status).toBe(200)
  expect(issuesOf(await oracle.relate(three!, 'partOf', [one!]))).toEqual(['/relationship relationship_circle'])
  expect(issuesOf(await oracle.patch(three!, 1, { relationships: { partOf: one } }))).toEqual([
    '/relationships/partOf relationship_circle',
  ])
  expect(issuesOf(await oracle.relate(three!, 'partOf', [three!, 'urn:uuid:x']))).toEqual([
    '/targets/0 relationship_circle',
    '/targets/1 unknown_target',
  ])
  expect(issuesOf(await oracle.relate(one!, 'produces', [two!]))).toEqual(['/relationship reserved_relationship'])
  expect((await oracle.relate(one!, 'partOf', [three!], keys.ada)).status).toBe(403)
  expect((await oracle.unrelate(one!, 'partOf', two!)).body).toMatchObject({ relationships: {}, version: 3 })
  expect((await oracle.unrelate(one!, 'partOf', two!)).body.version).toBe(3)
  expect((await oracle.relate(three!, 'partOf', [one!])).status).toBe(200)
  const replaced = await oracle.patch(three!, 2, { relationships: { partOf: null } })
  expect(replaced.body).toMatchObject({ relationships: {}, version: 3 })
})

test('an Idempotency-Key gives the same reply for the same body of the same sender', async () => {
  await using oracle = await bootEntities()
  const body = { type: 'Device', properties: { serial: 'S-1' } }
  const key = { 'idempotency-key': 'order-7' }
  const replies = await Promise.all(Array.from({ length: 5 }, () => oracle.create(body, keys.ada, key)))
  expect(new Set(replies.map(reply => JSON.stringify(reply.body))).size).toBe(1)
  expect(
    new Set(replies.map(({ status, headers }) => `${status} ${headers.get('location')} ${headers.get('etag')}`)).size,
  ).toBe(1)
  await oracle.patch(replies[0]!.body.did, 1, { properties: { serial: 'S-2' } }, keys.ada)
  const reordered = { properties: { serial: 'S-1' }, type: 'Device' }
  expect((await oracle.create(reordered, keys.ada, key)).body).toEqual(replies[0]!.body)
  const other = await oracle.create({ type: 'Device' }, keys.ada, key)
  expect(other.body).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
  expect((await oracle.create(body, keys.ben, key)).body.did).not.toBe(replies[0]!.body.did)
})

test('without a signing key nothing is written', async () => {
  await using oracle = await bootEntities({ env: { ORACLE_MNEMONIC: '' } })
  for (const body of [{ type: 'Device' }, { type: 'Device', claim: {} }]) {
    expect((await oracle.create(body)).body).toMatchObject({ status: 503, code: 'signing_key_missing' })
  }
})

const hostile: readonly (readonly [string, string, number])[] = [
  ['__proto__ among properties', '{"type":"Device","properties":{"__proto__":{"x":1}}}', 400],
  ['a number that JSON cannot write', '{"type":"Device","properties":{"a":1e999}}', 400],
  ['half a surrogate pair', '{"type":"Device","properties":{"a":"\\ud800"}}', 422],
  ['a NUL character', '{"type":"Device","properties":{"a":"\\u0000"}}', 422],
  ['half a surrogate pair elsewhere', '{"type":"Device","alsoKnownAs":["\\ud800"]}', 422],
  ['too much of it', JSON.stringify({ type: 'Device', properties: { a: 'x'.repeat(100_001) } }), 422],
  [
    'too many properties',
    JSON.stringify({
      type: 'Device',
      properties: Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`p${i}`, 1])),
    }),
    422,
  ],
  ['a deep one', `{"type":"Device","properties":{"a":${'['.repeat(40)}${']'.repeat(40)}}}`, 400],
  ['an unknown member', '{"type":"Device","version":7}', 400],
  ['no type', '{"properties":{}}', 400],
  ['a type that is none', '{"type":"a type"}', 400],
  ['a controller that is no DID', '{"type":"Device","controller":"ada"}', 400],
  ['a type that only looks like a Protocol', '{"type":"protocolEntity"}', 422],
  ['an organisation without the rules of one', '{"type":"ORGANISATION"}', 422],
  ['an alias of Organisation with groups', '{"type":"OrganizationEntity","membershipGroups":["A"]}', 422],
]

test('values that cannot be stored are rejected', async () => {
  await using oracle = await bootEntities()
  for (const [what, body, status] of hostile) {
    const refused = await oracle.create(body)
    expect([what, refused.status, refused.headers.get('content-type')]).toEqual([
      what,
      status,
      'application/problem+json',
    ])
  }
})
