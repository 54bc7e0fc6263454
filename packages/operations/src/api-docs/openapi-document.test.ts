import { z } from '@hono/zod-openapi'
import { accessOf, samplePlugin } from '@sibyl/core/testing'
import { type Route, route } from '@sibyl/plugin'
import type { RouteDefinition } from '@sibyl/plugin/host'
import { recordedLogger } from '@sibyl/plugin/testing'
import { type TestApp, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import type { ApiDocument } from './api-document.ts'

const withRoutes = (name: string, ...routes: Route[]) => samplePlugin(name, { setup: () => ({ routes }) })

const documentOf = async ({ app }: TestApp) => (await (await app.request('/openapi.json')).json()) as ApiDocument

const ok = { 200: { description: 'Fine' } }

const answering = (schema: z.ZodType) => ({
  200: { description: 'Fine', content: { 'application/json': { schema } } },
})

const get = (
  path: string,
  responses: RouteDefinition['ok'] = ok,
  more: object = {},
  access: Route['access'] = 'public',
) => route.get(path, { auth: access, summary: 'One', ok: responses, ...more }, c => c.text('fine'))

test('lists every route once, with a unique operation ID and its access', async () => {
  await using oracle = await testApp({
    plugins: [
      withRoutes(
        'tides',
        get('/tides/open'),
        get('/tides/own', ok, {}, 'own'),
        get('/tides/operator', ok, {}, 'operator'),
        get('/tides/key', ok, {}, { apiKey: 'TIDES_KEYS', orUcan: 'tides/read' }),
        get('/tides/ucan', ok, {}, { ucan: 'tides/read' }),
      ),
    ],
    env: { ORACLE_API_KEYS: 'server:0123456789abcdef' },
  })
  const { paths, components, tags } = await documentOf(oracle)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ route: `${method} ${path}`, ...operation })),
  )
  const reported = operations.map(({ route, 'x-owner': owner, 'x-access': access }) => ({ route, owner, access }))
  const there = oracle.app.routes().map(({ owner, access, definition: { method, path } }) => ({
    route: `${method} ${path}`,
    owner,
    access,
  }))
  const byRoute = (a: { route: string }, b: { route: string }) => a.route.localeCompare(b.route)
  expect(reported.sort(byRoute)).toEqual(there.sort(byRoute))
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  const withUcan = [{ ucan: ['tides/read'] }, { bearer: ['tides/read'] }, { apiKey: ['tides/read'] }]
  expect(operations.slice(-5).map(({ operationId, security }) => [operationId, security])).toEqual([
    ['getTidesOpen', []],
    ['getTidesOwn', []],
    ['getTidesOperator', [{ operator: [] }]],
    ['getTidesKey', [{ TIDES_KEYS: [] }, ...withUcan]],
    ['getTidesUcan', withUcan],
  ])
  expect(Object.keys(components.securitySchemes).sort()).toEqual(['TIDES_KEYS', 'apiKey', 'bearer', 'operator', 'ucan'])
  expect(tags.at(-1)).toEqual({ name: 'tides', description: 'What tides does.' })
})

test('a route that the plugin removes from the public ones has its declared access', async () => {
  const route = get('/tides/open')
  const plugin = samplePlugin('tides', { setup: () => ({ routes: [route], getAuthExcludedRoutes: () => [] }) })
  await using oracle = await testApp({ plugins: [plugin] })
  expect((await documentOf(oracle)).paths['/tides/open']?.get?.security).toContainEqual({ ucan: ['tides/call'] })
  expect(accessOf({ owner: 'tides', route, locked: true })).toEqual({ ucan: 'tides/call' })
})

test('names the oracle and its address', async () => {
  await using oracle = await testApp({
    plugins: [],
    env: { ORACLE_NAME: 'Tides', ORACLE_DESCRIPTION: 'Knows the sea.', PUBLIC_URL: 'https://tides.test/oracle/' },
  })
  const { openapi, info, servers } = await documentOf(oracle)
  expect(openapi).toBe('3.1.0')
  expect(info).toMatchObject({
    title: 'Tides',
    version: '0.1.0',
    description: expect.stringMatching(/^Knows the sea\./),
  })
  expect(servers).toEqual([{ url: 'https://tides.test/oracle' }])
})

test('the address is the current one', async () => {
  await using oracle = await testApp({ plugins: [], env: { PORT: '0' } })
  await documentOf(oracle)
  const { port } = await oracle.app.listen()
  expect((await documentOf(oracle)).servers).toEqual([{ url: `http://localhost:${port}` }])
})

test('schemas of the protocol appear once; the stream refers to its events', async () => {
  await using oracle = await testApp({ plugins: [] })
  const { paths, components } = await documentOf(oracle)
  const chat = paths['/chat']!.post!
  expect(chat.requestBody?.content['application/json']).toEqual({
    schema: { $ref: '#/components/schemas/ChatRequest' },
    example: { message: 'What can you do?' },
  })
  const stream = chat.responses[200]!.content!['text/event-stream']!
  expect(stream.schema).toMatchObject({ type: 'string', contentSchema: { $ref: '#/components/schemas/ChatEvent' } })
  expect(stream.example).toMatch(/^id: turn_\w+:1\ndata: \{"type":"start"/)
  const events = components.schemas.ChatEvent!.anyOf as { properties: Record<string, object> }[]
  expect(events[0]!.properties.messageMetadata).toEqual({ $ref: '#/components/schemas/MessageMetadata' })
  expect(JSON.stringify(events)).toContain('tool-approval-request')
})

test('responses of all routes of a kind are listed for each of them', async () => {
  const write = route.post(
    '/tides',
    {
      auth: { ucan: 'tides/write' },
      summary: 'A route',
      body: { content: { 'application/json': { schema: z.object({ high: z.number() }) } } },
      ok: { 201: { description: 'Written' }, 403: { description: 'Only the harbour master' } },
    },
    c => c.body(null, 201),
  )
  await using oracle = await testApp({ plugins: [withRoutes('tides', write, get('/tides'))] })
  const { paths, components } = await documentOf(oracle)
  const { post, get: read } = paths['/tides']!
  expect(Object.keys(post!.responses)).toEqual(['201', '400', '401', '403', '413', '414', '415', '429', '500', '503'])
  expect(post!.responses[403]).toEqual({ description: 'Only the harbour master' })
  expect(post!.responses[429]).toEqual({ $ref: '#/components/responses/TooManyRequests' })
  expect(components.responses.TooManyRequests).toMatchObject({
    headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  })
  expect(Object.keys(read!.responses)).toEqual(['200', '414', '429', '500', '503'])
  expect(Object.keys(paths['/health']!.get!.responses)).not.toContain('429')
})

test('different schemas of one name are kept apart', async () => {
  const item = (key: string) => z.object({ [key]: z.string() }).openapi('Item')
  const list = (key: string) => z.object({ items: z.array(item(key)) }).openapi('List')
  await using oracle = await testApp({
    plugins: [
      withRoutes('tides', get('/tides/a', answering(list('high'))), get('/tides/b', answering(list('high')))),
      withRoutes('winds', get('/winds', answering(list('force')))),
    ],
  })
  const { paths, components } = await documentOf(oracle)
  const schemaOf = (path: string) => paths[path]!.get!.responses[200]!.content!['application/json']!.schema
  expect(schemaOf('/tides/a')).toEqual({ $ref: '#/components/schemas/List' })
  expect(schemaOf('/tides/b')).toEqual({ $ref: '#/components/schemas/List' })
  expect(schemaOf('/winds')).toEqual({ $ref: '#/components/schemas/winds.List' })
  const itemsOf = (name: string) => (components.schemas[name]!.properties as { items: { items: object } }).items.items
  expect(itemsOf('List')).toEqual({ $ref: '#/components/schemas/Item' })
  expect(itemsOf('winds.List')).toEqual({ $ref: '#/components/schemas/winds.Item' })
})

test('paths that differ only in parameter names are one', async () => {
  const parameters = (name: string) => ({ params: z.object({ [name]: z.string().max(9) }) })
  await using oracle = await testApp({
    plugins: [
      withRoutes(
        'tides',
        get('/tides/{port}', ok, parameters('port')),
        route.delete('/tides/{id}', { auth: 'public', summary: 'A route', ok, ...parameters('id') }, c => c.text('')),
        get('/days/:day{[0-9]+}'),
      ),
    ],
  })
  const { paths } = await documentOf(oracle)
  const place = { name: 'port', in: 'path', required: true, schema: { type: 'string', maxLength: 9 } }
  expect(paths['/tides/{port}']).toMatchObject({ get: { parameters: [place] }, delete: { parameters: [place] } })
  expect(paths['/days/{day}']!.get!.parameters).toEqual([
    { name: 'day', in: 'path', required: true, schema: { type: 'string', pattern: '^[0-9]+$' } },
  ])
})

interface Tree {
  readonly children: Tree[]
}

const endless: z.ZodType<Tree> = z.lazy(() => z.object({ children: z.array(endless) }))

test.each<[string, object, object?]>([
  ['an unnamed recursive schema', answering(endless)],
  [
    'a schema that throws',
    answering(
      z.lazy(() => {
        throw new Error('no schema')
      }),
    ),
  ],
  ['a schema without a JSON form', answering(z.object({ at: z.date(), size: z.bigint().default(1n) }))],
  ['a dangling reference', answering(z.string().openapi({ $ref: '#/components/schemas/Nowhere' } as never))],
  ['an invalid status', { good: { description: 'Fine' } }],
  ['an answer without a description', { 200: {} }],
  ['an invalid answer', { 200: null }],
  ['no answers', {}],
  ['a summary that is not text', ok, { summary: { toString: () => 'One' } }],
  ['a huge description', ok, { description: 'x'.repeat(600_000) }],
])('%s affects no other route, and is reported', async (_, responses, more) => {
  const logger = recordedLogger()
  const odd = get('/odd/{id}', responses as RouteDefinition['ok'], more)
  await using oracle = await testApp({
    plugins: [withRoutes('odd', odd, get('/odd', answering(z.object({ fine: z.literal(true) }))))],
    logger,
  })
  const { paths } = await documentOf(oracle)
  expect(paths['/odd/{id}']!.get).toMatchObject({
    operationId: 'getOddById',
    description: expect.stringContaining('are not described'),
    parameters: [{ name: 'id', in: 'path', required: true }],
    'x-undescribed': true,
  })
  expect(paths['/odd']!.get!.responses[200]!.content).toMatchObject({ 'application/json': {} })
  expect(paths['/chat']!.post!.requestBody).toBeDefined()
  expect(logger.lines).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      message: 'a route cannot be described in the OpenAPI document',
      fields: expect.objectContaining({ plugin: 'odd', route: 'GET /odd/{id}' }),
    }),
  )
})

test('returns 304 if the document is unchanged', async () => {
  await using oracle = await testApp({ plugins: [] })
  const first = await oracle.app.request('/openapi.json')
  const etag = first.headers.get('etag')!
  expect(first.headers.get('cache-control')).toBe('no-cache')
  expect(etag).toMatch(/^"[\w-]+"$/)
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await oracle.app.request('/openapi.json', { headers: { 'if-none-match': known } })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  }
  const other = await oracle.app.request('/openapi.json', { headers: { 'if-none-match': '"other"' } })
  expect([other.status, await other.text()]).toEqual([200, await first.text()])
  const head = await oracle.app.request('/openapi.json', { method: 'HEAD' })
  expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', etag])
})
