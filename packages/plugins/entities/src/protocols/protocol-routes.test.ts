import { testApp } from '@sibyl/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { entities } from '../entities.ts'

const key = 'a-key-of-32-characters-for-tests'
const reader = 'another-key-that-may-only-read-x'
const writer = 'a-third-key-that-may-only-write'

let oracle: Awaited<ReturnType<typeof testApp>>

const call = async (method: string, path: string, { body, headers = {}, as = key }: Call = {}): Promise<Answer> => {
  const response = await oracle.app.request(path, {
    method,
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  }
}

interface Call {
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly as?: string
}

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly headers: Headers
}

const pathOf = (did: unknown): string => `/v1/protocols/${encodeURIComponent(String(did))}`

beforeAll(async () => {
  const keys = `all:${key},reader:${reader}:read,writer:${writer}:write`
  oracle = await testApp({ plugins: [entities()], env: { ENTITIES_API_KEYS: keys } })
})

afterAll(() => oracle[Symbol.asyncDispose]())

it('a protocol is read as it is now, and in each of its versions', async () => {
  const posted = {
    type: 'Protocol',
    properties: { fuel: 'string', power: { type: 'number', minimum: 0, required: true } },
    relationships: { verifier: 'OracleEntity' },
    domainClass: 'Physical Twins',
  }
  const { body: entity, headers } = await call('POST', '/v1/entities', { body: posted })
  const { did } = entity
  const first = {
    did,
    version: 1,
    status: 'active',
    properties: { fuel: { type: 'string' }, power: { type: 'number', required: true, minimum: 0 } },
    relationships: { verifier: 'OracleEntity' },
    domainClass: 'Physical Twins',
    createdAt: expect.any(String),
  }
  expect((await call('GET', pathOf(did))).body).toEqual(first)
  expect((await call('GET', `/v1/protocols/${did}`)).body).toEqual(first)

  const patched = await call('PATCH', `/v1/entities/${encodeURIComponent(String(did))}`, {
    body: { properties: { fuel: { type: 'string', enum: ['wood', 'pellets'] } } },
    headers: { 'if-match': headers.get('etag') ?? '' },
  })
  expect(patched.status).toBe(200)
  const second = {
    ...first,
    version: 2,
    properties: { ...first.properties, fuel: { type: 'string', enum: ['wood', 'pellets'] } },
  }
  expect((await call('GET', pathOf(did))).body).toEqual(second)
  expect((await call('GET', `${pathOf(did)}/versions/1`)).body).toEqual(first)
  expect((await call('GET', `${pathOf(did)}/versions/2`)).body).toEqual(second)
  expect((await call('GET', `${pathOf(did)}/versions`)).body).toEqual({
    did,
    versions: [
      { version: 2, createdAt: expect.any(String) },
      { version: 1, createdAt: expect.any(String) },
    ],
  })
  expect((await call('GET', `${pathOf(did)}/versions?limit=1`)).body).toMatchObject({
    versions: [{ version: 2 }],
    next: 2,
  })
  expect((await call('GET', `${pathOf(did)}/versions?limit=1&before=2`)).body).toMatchObject({
    versions: [{ version: 1 }],
  })
})

it('protocols are listed page by page, the newest first', async () => {
  const dids: unknown[] = []
  for (let count = 0; count < 3; count += 1) {
    dids.unshift(
      (await call('POST', '/v1/entities', { body: { type: 'Protocol', properties: { a: 'string' } } })).body.did,
    )
  }
  const didsOf = ({ body }: Answer) => (body.protocols as { did: string }[]).map(({ did }) => did)
  const first = await call('GET', '/v1/protocols?limit=2', { as: reader })
  expect(didsOf(first)).toEqual(dids.slice(0, 2))
  const cursor = encodeURIComponent(String(first.body.next))
  const second = await call('GET', `/v1/protocols?limit=2&cursor=${cursor}`)
  expect(didsOf(second)[0]).toBe(dids[2])
})

it.each([
  ['/v1/protocols', writer, 403, 'scope_missing'],
  ['/v1/protocols', 'wrong', 401, undefined],
  ['/v1/protocols?cursor=junk', key, 400, 'cursor_invalid'],
  ['/v1/protocols?limit=0', key, 400, 'input_invalid'],
  ['/v1/protocols/did:web:x:entities:00000000000000000000000001', key, 404, 'protocol_not_found'],
  ['/v1/protocols/__proto__', key, 404, 'protocol_not_found'],
  ['/v1/protocols/a%00b', key, 404, 'protocol_not_found'],
  ['/v1/protocols/did:web:x:entities:00000000000000000000000001/versions/0', key, 400, 'input_invalid'],
  [
    '/v1/protocols/did:web:x:entities:00000000000000000000000001/versions/99999999999999999999',
    key,
    400,
    'input_invalid',
  ],
  ['/v1/graph?from=did:web:x&depth=7', key, 400, 'input_invalid'],
  ['/v1/graph?from=did:web:x&direction=up', key, 400, 'input_invalid'],
  ['/v1/graph?from=no%20uri', key, 400, 'input_invalid'],
  ['/v1/graph?from=urn:uuid:nobody', key, 404, 'graph_node_not_found'],
  ['/v1/graph?from=urn:uuid:nobody', writer, 403, 'scope_missing'],
])('GET %s is rejected with its own code', async (path, as, status, code) => {
  const answer = await call('GET', path, { as })
  expect(answer.status).toBe(status)
  if (code !== undefined) expect(answer.body.code).toBe(code)
})

it('the graph has what was written a moment ago, by the DIDs that were given', async () => {
  const create = async (body: object) => String((await call('POST', '/v1/entities', { body })).body.did)
  const stove = await create({ type: 'CookStove' })
  const project = await create({ type: 'Project', relationships: { generates: stove } })
  const organisation = await create({ type: 'Organisation', relationships: { implements: [project] } })
  const { body } = await call('GET', `/v1/graph?from=${encodeURIComponent(organisation)}&depth=2&direction=out`, {
    as: reader,
  })
  expect(body).toEqual({
    nodes: [
      { did: organisation, type: 'Organisation', domainClass: 'Cognitive Twins', status: 'active', distance: 0 },
      { did: project, type: 'Project', domainClass: 'Cognitive Twins', status: 'active', distance: 1 },
      { did: stove, type: 'CookStove', domainClass: 'Physical Twins', status: 'active', distance: 2 },
    ],
    edges: [
      { from: organisation, relationship: 'implements', to: project },
      { from: project, relationship: 'generates', to: stove },
    ],
    truncated: false,
  })
  const around = await call('GET', `/v1/graph?from=${encodeURIComponent(organisation)}&relationship=subDomainOf`)
  expect(around.body).toMatchObject({ nodes: [{ distance: 0 }, { type: 'MembershipGroup', distance: 1 }] })
})

it.each([
  'organisation',
  'OrganisationEntity',
  'organization',
  'OrganizationEntity',
  'company',
  'Ngo',
  'Membership-Group',
  'protocol',
])('an entity of type %s is not accepted as one with its own rules', async type => {
  const { status, body } = await call('POST', '/v1/entities', { body: { type } })
  expect([status, body.code]).toEqual([422, 'entity_invalid'])
  expect(body.issues).toEqual([
    { path: '/type', code: 'type_misspelt', message: expect.stringContaining('Write it as') },
  ])
})
