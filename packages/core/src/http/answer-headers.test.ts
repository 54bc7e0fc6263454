import { type Route, route } from '@sibyl/plugin'
import { recordedLogger } from '@sibyl/plugin/testing'
import { readStream, scriptedModel, testActor, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { officePlugin } from '../testing/office-plugin.ts'

const responses = { 200: { description: 'ok' } }
const page = "default-src 'self'"

const answering = (path: string, handle: Route['handle']) =>
  route.get(path, { auth: 'public', summary: 'A route', ok: responses }, handle)

const plugin = officePlugin({
  routes: [
    answering('/broken', () => {
      throw new Error('broken')
    }),
    answering('/page', c =>
      c.html('<p>hello', 200, { 'content-security-policy': page, 'cache-control': 'max-age=60' }),
    ),
    answering('/fetched', () => fetch('data:text/plain,hello')),
    answering('/endless', () => new Promise<never>(() => {})),
  ],
})

const booted = async (env: Record<string, string> = {}) => {
  const log = recordedLogger()
  const oracle = await testApp({ plugins: [plugin], model: scriptedModel(['hi', 'hi']), env, logger: log })
  const { url } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
  const ask = (path: string, init?: RequestInit) => fetch(url + path, init)
  return { ...oracle, ask, log, actor: testActor({ request: ask, identity: oracle.app.identity }) }
}

const always = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

describe('every response', () => {
  test('has the security headers and an ID', async () => {
    await using app = await booted()
    const chat = await app.actor.request('/chat', { json: { message: 'hi' } })
    const answers: [string, Response, number][] = [
      ['health', await app.ask('/health'), 200],
      ['no such route', await app.ask('/no/such'), 404],
      ['a wrong method', await app.ask('/health', { method: 'PUT' }), 405],
      ['no token', await app.ask('/sessions'), 401],
      ['a broken handler', await app.ask('/broken'), 500],
      ['what fetch gave back', await app.ask('/fetched'), 200],
      ['HEAD', await app.ask('/health', { method: 'HEAD' }), 200],
      ['too long an address', await app.ask(`/${'x'.repeat(9_000)}`), 414],
      ['sessions', await app.actor.request('/sessions'), 200],
      ['a stream', chat, 200],
    ]
    for (const [name, { status, headers }, expected] of answers) {
      const found = Object.fromEntries(headers)
      expect([status, found], name).toMatchObject([
        expected,
        { ...always, 'x-request-id': expect.stringMatching(/^[\w.:-]+$/) },
      ])
      expect(found, name).not.toHaveProperty('strict-transport-security')
      expect(found, name).not.toHaveProperty('access-control-allow-origin')
    }
    expect((await readStream(chat)).text).toBe('hi')
  })

  test('is not cached if it is for one caller, or a problem', async () => {
    await using app = await booted()
    const caching = async (answer: Response | Promise<Response>) => (await answer).headers.get('cache-control')
    expect(await caching(app.actor.request('/sessions'))).toBe('no-store')
    expect(await caching(app.ask('/sessions'))).toBe('no-store')
    expect(await caching(app.ask('/no/such'))).toBe('no-store')
    expect(await caching(app.ask('/health'))).toBeNull()
    expect(await caching(app.ask('/page'))).toBe('max-age=60')
  })

  test('may be overridden by its route', async () => {
    await using app = await booted()
    const { headers } = await app.ask('/page')
    expect(headers.get('content-security-policy')).toBe(page)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('sends HSTS if the oracle is at https, and not otherwise', async () => {
    await using app = await booted({ PUBLIC_URL: 'https://oracle.example.org' })
    expect((await app.ask('/')).headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  test('has the ID of the request, if it is safe', async () => {
    await using app = await booted()
    const idOf = async (id: string) =>
      (await app.ask('/', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
    expect(await idOf('a-b_c.d:1')).toBe('a-b_c.d:1')
    for (const id of ['a b', '<x>', 'x'.repeat(65), '']) expect(await idOf(id)).toMatch(/^[\da-f-]{36}$/)
  })
})

describe('pages of other origins', () => {
  const origin = 'https://app.example.org'
  const preflight = (app: Awaited<ReturnType<typeof booted>>, from: string) =>
    app.ask('/chat', {
      method: 'OPTIONS',
      headers: {
        origin: from,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    })

  test('get no CORS headers while CORS_ORIGIN is unset', async () => {
    await using app = await booted({ NODE_ENV: 'staging' })
    for (const from of [origin, 'http://localhost:5173']) {
      const asked = await preflight(app, from)
      expect(asked.status).toBe(405)
      for (const { headers } of [asked, await app.ask('/', { headers: { origin: from } })]) {
        expect([...headers.keys()].filter(name => name.startsWith('access-control') || name === 'vary')).toEqual([])
      }
    }
  })

  test('may call from this computer in development while CORS_ORIGIN is unset', async () => {
    await using app = await booted({ NODE_ENV: 'development' })
    for (const from of ['http://localhost:5173', 'https://localhost', 'http://127.0.0.1:3000', 'http://[::1]:8080']) {
      const { status, headers } = await preflight(app, from)
      expect([status, headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([204, from, 'Origin'])
    }
    for (const from of [origin, 'http://localhost.evil.test', 'http://localhost:80@evil.test', 'null', 'localhost']) {
      const { status, headers } = await preflight(app, from)
      expect([status, headers.get('access-control-allow-origin')], from).toEqual([405, null])
    }
  })

  test('may not call by default if CORS_ORIGIN is set', async () => {
    await using app = await booted({ NODE_ENV: 'development', CORS_ORIGIN: origin })
    expect((await preflight(app, 'http://localhost:5173')).status).toBe(405)
  })

  test('may call from a listed origin, also to read a stream, and from no other', async () => {
    await using app = await booted({ CORS_ORIGIN: `${origin}, http://localhost:5173`, RATE_LIMIT_PER_MINUTE: '100' })
    const asked = await preflight(app, origin)
    expect([asked.status, await asked.text()]).toEqual([204, ''])
    const allowed = Object.fromEntries(asked.headers)
    expect(allowed).toMatchObject({
      'access-control-allow-origin': origin,
      vary: 'Origin',
      ...{ 'x-content-type-options': 'nosniff' },
    })
    expect(allowed['access-control-allow-methods']?.split(', ')).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    expect(allowed['access-control-allow-headers']?.split(', ')).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'last-event-id']),
    )
    expect(allowed).not.toHaveProperty('access-control-allow-credentials')
    const chat = await app.actor.request('/chat', { json: { message: 'hi' }, headers: { origin } })
    expect(Object.fromEntries(chat.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': expect.stringContaining('x-request-id'),
      'cross-origin-resource-policy': 'cross-origin',
      vary: 'Origin',
    })
    await chat.text()
    const problem = await app.ask('/no/such', { headers: { origin } })
    expect(problem.headers.get('access-control-allow-origin')).toBe(origin)
    for (const other of [
      'https://app.example.org.evil.test',
      'http://app.example.org',
      'null',
      'https://APP.example.org',
    ]) {
      const refused = await preflight(app, other)
      expect([refused.status, refused.headers.get('access-control-allow-origin')], other).toEqual([405, null])
      expect((await app.ask('/', { headers: { origin: other } })).headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('may call from anywhere with *, never with credentials', async () => {
    await using app = await booted({ CORS_ORIGIN: '*' })
    const { headers } = await app.ask('/', { headers: { origin, cookie: 'a=b' } })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(headers.get('vary')).toBeNull()
  })

  test('must be named exactly; otherwise the boot log warns', async () => {
    for (const text of ['example.org', 'https://example.org/', 'https://*.example.org', 'null']) {
      await expect(booted({ CORS_ORIGIN: text }), text).rejects.toMatchObject({ code: 'boot_failed' })
    }
  })
})

test('a handler that never responds gets a response', async () => {
  await using app = await booted({ REQUEST_TIME_LIMIT_SECONDS: '1' })
  let answer = await app.ask('/endless')
  // The limit of sending a request is the same, and a process that was suspended may have missed it.
  while (answer.status === 408) answer = await app.ask('/endless')
  expect([answer.status, (await answer.json()).code]).toEqual([503, 'request_time_limit'])
})
