import { expect, test } from 'vitest'
import { HttpRegistry } from './http-registry.ts'
import { type Answer, entityAnswer, problemAnswer, serveAnswers } from './registry-server.test.helper.ts'

const did = 'did:web:localhost%3A4100:entities:01jd'
const repeat = { tries: 3, firstDelayMs: 1, maxDelayMs: 2 }

const open = async (answers: readonly Answer[], options: { timeLimitMs?: number; responseTimeoutMs?: number } = {}) => {
  const { url, received } = await serveAnswers(answers)
  return {
    registry: new HttpRegistry({ url: `${url}/`, apiKey: 'a-key-for-tests', repeat, ...options }),
    url,
    received,
  }
}

test('a key goes along with each request, and a DID is one segment of the path', async () => {
  const { registry, received, url } = await open([entityAnswer(201)])
  expect(registry.url).toBe(url)
  const { entity, etag } = await registry.create({ type: 'CookStove', properties: { serial: 'A-17' } })
  expect([entity.type, etag]).toEqual(['CookStove', '"1"'])
  await registry.get(did)
  await registry.update(did, { properties: { serial: null } }, '"1"')
  await registry.deactivate(did, '"2"')
  const path = '/v1/entities/did%3Aweb%3Alocalhost%253A4100%3Aentities%3A01jd'
  expect(received.map(it => [it.method, it.path, it.headers.authorization, it.headers['if-match'], it.body])).toEqual([
    [
      'POST',
      '/v1/entities',
      'Bearer a-key-for-tests',
      undefined,
      { type: 'CookStove', properties: { serial: 'A-17' } },
    ],
    ['GET', path, 'Bearer a-key-for-tests', undefined, undefined],
    ['PATCH', path, 'Bearer a-key-for-tests', '"1"', { properties: { serial: null } }],
    ['DELETE', path, 'Bearer a-key-for-tests', '"2"', undefined],
  ])
})

test.each<[string, Answer]>([
  ['the connection is cut', 'cut'],
  ['the registry is busy', problemAnswer(503, 'storage_unavailable', { 'retry-after': '0' })],
  ['there were too many requests', problemAnswer(429, 'rate_limited', { 'retry-after': '0' })],
  ['a proxy finds nobody', { status: 502, body: 'Bad Gateway' }],
])('a creation is sent again under the same key when %s', async (_, violation) => {
  const { registry, received } = await open([violation, violation, entityAnswer(201)])
  await registry.create({ type: 'CookStove' })
  const keys = received.map(it => it.headers['idempotency-key'])
  expect(keys).toHaveLength(3)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(new Set(keys).size).toBe(1)
  await registry.create({ type: 'CookStove' })
  expect(received.at(-1)?.headers['idempotency-key']).not.toBe(keys[0])
  await registry.create({ type: 'CookStove' }, { idempotencyKey: 'stove 17' })
  expect(received.at(-1)?.headers['idempotency-key']).toBe('stove 17')
})

test('gives up after four tries', async () => {
  const { registry, received } = await open(['cut'])
  await expect(registry.get(did)).rejects.toMatchObject({ code: 'network_failed' })
  expect(received).toHaveLength(4)
})

test.each<[string, Answer, string]>([
  ['whose answer is lost', 'cut', 'network_failed'],
  ['that may have been made', problemAnswer(503, 'storage_unavailable', { 'retry-after': '0' }), 'storage_unavailable'],
])('a change %s is not sent twice', async (_, violation, code) => {
  const { registry, received } = await open([violation])
  await expect(registry.update(did, {}, '"1"')).rejects.toMatchObject({ code })
  await expect(registry.deactivate(did, '"1"')).rejects.toMatchObject({ code })
  expect(received).toHaveLength(2)
})

test('a change that was turned away at the door is sent again', async () => {
  const { registry, received } = await open([
    problemAnswer(429, 'rate_limited', { 'retry-after': '0' }),
    entityAnswer(),
  ])
  await registry.update(did, {}, '"1"')
  expect(received).toHaveLength(2)
})

test.each([
  [422, 'entity_invalid'],
  [403, 'scope_missing'],
  [503, 'signing_key_missing'],
])('%i %s is an answer: it is thrown immediately', async (status, code) => {
  const { registry, received } = await open([problemAnswer(status, code)])
  await expect(registry.create({ type: 'CookStove' })).rejects.toMatchObject({ code, status })
  expect(received).toHaveLength(1)
})

test('an entity that is not known is undefined; a registry without entities is an error', async () => {
  expect(await (await open([problemAnswer(404, 'entity_not_found')])).registry.get(did)).toBeUndefined()
  const { registry } = await open([problemAnswer(404, 'route_not_found')])
  await expect(registry.get(did)).rejects.toMatchObject({ code: 'route_not_found' })
})

test('a call has its time, its repeats included', async () => {
  const silent = await open(['silence'], { timeLimitMs: 60 })
  await expect(silent.registry.get(did)).rejects.toMatchObject({
    code: 'network_failed',
    reason: 'no response within 60 ms',
  })
  const half = await open(['half'], { timeLimitMs: 60 })
  await expect(half.registry.get(did)).rejects.toMatchObject({ code: 'network_failed' })
  const slow = await open(['silence', entityAnswer()], { responseTimeoutMs: 1_000 })
  expect((await slow.registry.get(did))?.etag).toBe('"1"')
  const busy = await open([problemAnswer(429, 'rate_limited', { 'retry-after': '3600' })])
  await expect(busy.registry.get(did)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3600 })
})

test.each<[string, Answer]>([
  ['no entity', { status: 200, headers: { etag: '"1"' }, body: { hello: 'world' } }],
  ['no ETag', entityAnswer(200, {})],
  ['another address', { status: 307, headers: { location: 'https://elsewhere.example/' } }],
])('reports %s in an answer', async (_, answer) => {
  const { registry, received } = await open([answer])
  await expect(registry.get(did)).rejects.toMatchObject({ code: 'unexpected_response' })
  expect(received).toHaveLength(1)
})

test.each(['.', '..', 'a/b', 'did:web:a/../b', '', 'did:web:a?b', `did:web:${'a'.repeat(600)}`])(
  'sends nothing for %s, which is not a DID',
  async text => {
    const { registry, received } = await open([entityAnswer()])
    await expect(registry.get(text)).rejects.toMatchObject({ code: 'invalid_identifier' })
    await expect(registry.update(text, {}, '"1"')).rejects.toMatchObject({ code: 'invalid_identifier' })
    expect(received).toEqual([])
  },
)

test('a key that no header can carry is not sent, and not repeated in the error', async () => {
  const { url, received } = await serveAnswers([entityAnswer()])
  const registry = new HttpRegistry({ url, apiKey: async () => 'secret\nkey' })
  const error = await registry.get(did).catch(reason => reason)
  expect(error).toBeInstanceOf(TypeError)
  expect(String(error)).not.toContain('secret')
  expect(received).toEqual([])
})
