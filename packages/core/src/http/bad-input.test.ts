import { readStream, scriptedModel, type TestApp, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'

const oracle = () => testApp({ plugins: [], model: scriptedModel(['fine', 'fine']) })

const json = { 'content-type': 'application/json' }

const send = (oracle: TestApp, body: BodyInit, headers: Record<string, string> = json, path = '/chat') =>
  oracle.actor.request(path, { method: 'POST', body, headers })

const internals = /node_modules|\.ts\b|\bat .+:\d+|zod|hono|kysely|sqlite|stack/i

/** Expects a problem by RFC 9457, without internals. */
const expectProblem = async (answer: Response, status: number, code: string) => {
  const text = await answer.text()
  expect([answer.status, JSON.parse(text).code], text).toEqual([status, code])
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(JSON.parse(text)).toMatchObject({
    type: `urn:sibyl:error:${code}`,
    title: expect.any(String),
    status,
    requestId: answer.headers.get('x-request-id'),
  })
  expect(text).not.toMatch(internals)
  return JSON.parse(text) as { issues?: { path: string; message: string }[] }
}

const nested = (depth: number) => `{"message":${'['.repeat(depth)}${']'.repeat(depth)}}`

describe('an invalid body of POST /chat', () => {
  const bodies: [string, string, string][] = [
    ['nothing', '', 'input_invalid'],
    ['no JSON', '{"message": ', 'json_invalid'],
    ['a word', 'hello', 'json_invalid'],
    ['a text', '"hello"', 'input_invalid'],
    ['a number', '1', 'input_invalid'],
    ['null', 'null', 'input_invalid'],
    ['a list', '[]', 'input_invalid'],
    ['an empty object', '{}', 'input_invalid'],
    ['an empty message', '{"message":""}', 'input_invalid'],
    ['a message of spaces', '{"message":{"role":"user","parts":[{"type":"text","text":"  "}]}}', 'message_empty'],
    ['a message without text', '{"message":{"role":"user","parts":[{"type":"step-start"}]}}', 'message_empty'],
    ['a message without a role', '{"message":{"parts":[]}}', 'input_invalid'],
    [
      'a message of the system',
      '{"message":{"role":"system","parts":[{"type":"text","text":"x"}]}}',
      'message_missing',
    ],
    [
      'a message of the oracle',
      '{"message":{"role":"assistant","parts":[{"type":"text","text":"x"}]}}',
      'message_missing',
    ],
    ['a message too long', JSON.stringify({ message: 'x'.repeat(128_001) }), 'input_invalid'],
    [
      'too many parts',
      JSON.stringify({ message: { role: 'user', parts: Array(501).fill({ type: 'x' }) } }),
      'input_invalid',
    ],
    ['a message with neither parts nor content', '{"message":{"role":"user"}}', 'input_invalid'],
    ['a message with content of a number', '{"message":{"role":"user","content":1}}', 'input_invalid'],
    [
      'content too long',
      JSON.stringify({ message: { role: 'user', content: [{ type: 'text', text: 'x'.repeat(128_001) }] } }),
      'input_invalid',
    ],
    ['an empty history', '{"messages":[]}', 'input_invalid'],
    [
      'too long a history',
      JSON.stringify({ messages: Array(2_001).fill({ role: 'user', parts: [] }) }),
      'input_invalid',
    ],
    ['a session id with a slash', '{"id":"a/b","message":"x"}', 'input_invalid'],
    ['a session id of dots', '{"id":"..","message":"x"}', 'input_invalid'],
    ['a session id too long', JSON.stringify({ id: 'x'.repeat(129), message: 'x' }), 'input_invalid'],
    ['a session ID that is not text', '{"id":{"$ne":null},"message":"x"}', 'input_invalid'],
    ['an unknown trigger', '{"trigger":"delete-all","message":"x"}', 'input_invalid'],
    ['40 levels', nested(40), 'json_too_deep'],
    ['100,000 levels', nested(100_000), 'json_too_deep'],
    ['a key __proto__', '{"message":"x","__proto__":{"admin":true}}', 'json_forbidden_key'],
    [
      'an escaped key __proto__',
      String.raw`{"message":"x","\u005f_pr\u006Fto__":{"admin":true}}`,
      'json_forbidden_key',
    ],
    [
      'a deep key __proto__',
      '{"message":{"role":"user","parts":[{"type":"text","text":"x","__proto__":{}}]}}',
      'json_forbidden_key',
    ],
  ]
  test('is rejected with the reason', async () => {
    await using app = await oracle()
    for (const [name, body, code] of bodies) {
      await expectProblem(await send(app, body), 400, code).catch(error => {
        throw new Error(`${name}: ${error.message}`)
      })
    }
    expect(await (await app.actor.request('/sessions')).json()).toEqual({ sessions: [] })
    expect((await app.chat('hi')).text).toBe('fine')
  })

  test('is rejected with each invalid member named', async () => {
    await using app = await oracle()
    const body = '{"id":"a/b","messages":[{"role":"king","parts":{}}]}'
    const { issues } = await expectProblem(await send(app, body), 400, 'input_invalid')
    expect(issues?.map(({ path }) => path)).toEqual(['/id', '/messages/0/role', '/messages/0/parts'])
  })
})

test('ignores unknown members, and __proto__ inside a text', async () => {
  await using app = await oracle()
  const body = { message: 'what is "__proto__": {} ?', constructor: { prototype: { admin: true } }, extra: [1] }
  expect((await readStream(await send(app, JSON.stringify(body)))).text).toBe('fine')
  expect(({} as { admin?: boolean }).admin).toBeUndefined()
})

test('accepts a text with NUL and half a surrogate pair', async () => {
  await using app = await oracle()
  const answer = await send(app, JSON.stringify({ id: 's1', message: 'a\0b\ud83d' }))
  expect((await readStream(answer)).text).toBe('fine')
  const { title } = await (await app.actor.request('/sessions/s1')).json()
  expect(title).toBe('a\ufffdb\ufffd')
})

describe('the content type of a body', () => {
  test('other than JSON is rejected with 415', async () => {
    await using app = await oracle()
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'junk',
      '',
    ]) {
      await expectProblem(await send(app, '{"message":"x"}', { 'content-type': type }), 415, 'content_type_unsupported')
    }
    const bytes = new TextEncoder().encode('{"message":"x"}')
    await expectProblem(await send(app, bytes, {}), 415, 'content_type_unsupported')
  })

  test('may have a charset, be uppercase, or be a JSON dialect', async () => {
    await using app = await oracle()
    for (const type of ['Application/JSON; charset=utf-8', 'application/ld+json']) {
      expect((await readStream(await send(app, '{"message":"x"}', { 'content-type': type }))).text).toBe('fine')
    }
  })

  test('that is not UTF-8 is read with replacement characters', async () => {
    await using app = await oracle()
    const bytes = new Uint8Array([...new TextEncoder().encode('{"message":"'), 0xff, 0xfe, 0x22, 0x7d])
    expect((await readStream(await send(app, bytes))).text).toBe('fine')
  })
})

describe('a body of 10 MB', () => {
  const large = JSON.stringify({ message: 'x'.repeat(10_000_000) })

  test('with a length is rejected', async () => {
    await using app = await oracle()
    const headers = { ...json, 'content-length': String(large.length) }
    await expectProblem(await send(app, large, headers), 413, 'body_too_large')
  })

  test('without a length is rejected', async () => {
    await using app = await oracle()
    const body = new Blob([large]).stream()
    const init = { method: 'POST', body, headers: json, duplex: 'half' } as RequestInit
    await expectProblem(await app.actor.request('/chat', init), 413, 'body_too_large')
  })
})

describe('paths and methods', () => {
  test('that are unknown return 404, known paths with another method 405', async () => {
    await using app = await oracle()
    for (const path of [
      '/no/such/path',
      '/chat/',
      '//sessions',
      '/Sessions',
      '/sessions/a/b',
      '/sessions%00',
      '/%E0%A4%A',
    ]) {
      await expectProblem(await app.actor.request(path), 404, 'route_not_found')
    }
    const answer = await app.actor.request('/sessions', { method: 'PUT' })
    expect(answer.headers.get('allow')).toBe('GET')
    await expectProblem(answer, 405, 'method_not_allowed')
    for (const [method, path] of [
      ['GET', '/chat'],
      ['DELETE', '/'],
      ['PATCH', '/health'],
      ['POST', '/sessions/x'],
      ['OPTIONS', '/chat'],
    ]) {
      await expectProblem(await app.actor.request(path!, { method: method! }), 405, 'method_not_allowed')
    }
  })

  test('with invalid IDs are rejected', async () => {
    await using app = await oracle()
    for (const path of ['/sessions/a%2Fb', '/sessions/a%00', `/sessions/${'x'.repeat(200)}`, '/chat/%20/stream']) {
      await expectProblem(await app.actor.request(path), 400, 'input_invalid')
    }
  })

  test('HEAD responds like GET without a body', async () => {
    await using app = await oracle()
    for (const [path, status] of [
      ['/', 200],
      ['/health', 200],
      ['/sessions', 200],
      ['/sessions/none', 404],
      ['/chat/none/stream', 204],
      ['/no/such/path', 404],
    ] as const) {
      const answer = await app.actor.request(path, { method: 'HEAD' })
      expect([answer.status, await answer.text()], path).toEqual([status, ''])
    }
    expect((await app.app.request('/sessions', { method: 'HEAD' })).status).toBe(401)
  })
})

describe('queries', () => {
  test('out of range are rejected', async () => {
    await using app = await oracle()
    for (const query of [
      'limit=0',
      'limit=201',
      'limit=x',
      'limit=1e9',
      'before=yesterday',
      'before=2026-13-01T00:00:00Z',
    ]) {
      await expectProblem(await app.actor.request(`/sessions?${query}`), 400, 'input_invalid')
    }
    expect((await app.actor.request('/sessions?limit=5&before=2030-01-01T00:00:00Z&other=1')).status).toBe(200)
  })
})

describe('every response', () => {
  test('has a request ID: the given one if it is safe, else a new one', async () => {
    await using app = await oracle()
    const idOf = async (given?: string) => {
      const headers: Record<string, string> = given === undefined ? {} : { 'x-request-id': given }
      return (await app.app.request('/', { headers })).headers.get('x-request-id')
    }
    expect(await idOf('abc-123.x')).toBe('abc-123.x')
    for (const given of [undefined, '', 'a b', '<script>', 'x'.repeat(65)])
      expect(await idOf(given)).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('forbids content sniffing', async () => {
    await using app = await oracle()
    for (const path of ['/', '/health', '/sessions', '/no/such', '/.well-known/oracle.json']) {
      const { headers } = await app.app.request(path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
  })
})
