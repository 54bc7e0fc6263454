import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { z } from '@hono/zod-openapi'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { type Host, type RouteOptions, route } from '@sibyl/plugin'
import { recordedLogger } from '@sibyl/plugin/testing'
import { startPostgres } from '@sibyl/storage/testing'
import { delegatedActor, scriptedModel, testActor, testApp } from '@sibyl/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { officePlugin } from '../testing/office-plugin.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'

const postgres = await startPostgres()

afterAll(() => postgres?.stop())

const body = { content: { 'application/json': { schema: z.object({ text: z.string().max(5) }) } } }

/** Creates a route that returns the client address and accepts a short text. */
const gateway = (path: string, options: RouteOptions) =>
  route.post(path, { auth: 'public', summary: 'A route', body, ok: { 200: { description: 'ok' } }, ...options }, c => {
    if (c.req.valid('json').text === 'throw') throw new Error('broken')
    return c.text(c.get('clientAddress') ?? 'nowhere')
  })

const own: RouteOptions = {
  rateLimit: { name: 'desk', perMinute: 3 },
  refuse: (c, { status, code }) => c.text(`END ${code}`, status === 429 ? 429 : 200),
}

const booted = async (env: Record<string, string>, logger = recordedLogger()) => {
  const routes = [gateway('/one', own), gateway('/two', own), gateway('/plain', {})]
  const oracle = await testApp({
    plugins: [officePlugin({ routes })],
    model: scriptedModel(['hi', 'hi', 'hi']),
    env,
    logger,
  })
  /** Sends a request from an address that the host provides. */
  const from = (clientAddress: string, path: string, init: RequestInit = {}) =>
    oracle.app.fetch(new Request(`http://localhost${path}`, init), { clientAddress })
  const post = (clientAddress: string, path: string, text = 'hi') =>
    from(clientAddress, path, {
      method: 'POST',
      body: JSON.stringify({ text }),
      headers: { 'content-type': 'application/json' },
    })
  return { oracle, from, post, [Symbol.asyncDispose]: () => oracle.app.close() }
}

/** Returns the statuses of sequential requests. */
const statuses = async (count: number, ask: (index: number) => Response | Promise<Response>): Promise<number[]> => {
  const all: number[] = []
  for (let index = 0; index < count; index += 1) all.push((await ask(index)).status)
  return all
}

describe('requests of an address', () => {
  test('beyond the limit get 429 with the time to wait, on every path, whatever the response would be', async () => {
    await using app = await booted({ RATE_LIMIT_PER_MINUTE: '4' })
    const paths = ['/.well-known/oracle.json', '/sessions', '/no/such/path', '/plain', '/plain']
    const began = performance.now()
    expect(await statuses(5, index => app.from('1.2.3.4', paths[index]!))).toEqual([200, 401, 404, 405, 429])
    const refused = await app.from('1.2.3.4', '/.well-known/oracle.json')
    const passed = Math.ceil((performance.now() - began) / 1_000)
    const left = Array.from({ length: passed + 1 }, (_, seconds) => 60 - seconds).join('|')
    expect(refused.headers.get('retry-after')).toMatch(new RegExp(`^(${left})$`))
    expect(refused.headers.get('ratelimit-policy')).toBe('"address";q=4;w=60')
    expect(refused.headers.get('ratelimit')).toMatch(new RegExp(`^"address";r=0;t=(${left})$`))
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect(await refused.json()).toMatchObject({ status: 429, code: 'rate_limited', requestId: expect.any(String) })
    expect((await app.from('1.2.3.5', '/.well-known/oracle.json')).headers.get('ratelimit')).toMatch(/r=3;t=60/)
  })

  test('for / and /health are not counted, by path', async () => {
    await using app = await booted({ RATE_LIMIT_PER_MINUTE: '2' })
    expect(new Set(await statuses(20, index => app.from('1.2.3.4', index % 2 ? '/' : '/health')))).toEqual(
      new Set([200]),
    )
    expect(await statuses(4, index => app.from('1.2.3.4', `/health/${index}`))).toEqual([404, 404, 429, 429])
    expect((await app.from('1.2.3.4', '/health')).status).toBe(200)
  })

  test('over IPv6 are counted by /64, and a /48 has twice the limit', async () => {
    await using app = await booted({ RATE_LIMIT_PER_MINUTE: '2' })
    expect(await statuses(3, index => app.from(`2001:db8:1:2::${index}`, '/plain'))).toEqual([405, 405, 429])
    expect(await statuses(3, index => app.from(`2001:db8:1:a${index}::`, '/plain'))).toEqual([405, 405, 429])
    const refused = await app.from('2001:db8:1:b::', '/plain')
    expect((await refused.json()).detail).toContain('The network of this address may send 4 requests per minute.')
    expect((await app.from('2001:db8:2:b::', '/plain')).status).toBe(405)
  })

  test('are unlimited with 0, and if the host provides no address', async () => {
    await using unlimited = await booted({ RATE_LIMIT_PER_MINUTE: '0' })
    expect(new Set(await statuses(400, () => unlimited.from('1.2.3.4', '/plain')))).toEqual(new Set([405]))
    await using app = await booted({ RATE_LIMIT_PER_MINUTE: '1' })
    expect(await statuses(3, () => app.oracle.app.request('/plain'))).toEqual([405, 405, 405])
  })

  test('ignore address headers unless a proxy is trusted, and then those of the client', async () => {
    const forged = (index: number) => ({
      headers: { 'x-forwarded-for': `6.6.6.${index}`, forwarded: `for=6.6.6.${index}`, 'x-real-ip': `6.6.6.${index}` },
    })
    await using app = await booted({ RATE_LIMIT_PER_MINUTE: '2' })
    expect(await statuses(3, index => app.from('1.2.3.4', '/plain', forged(index)))).toEqual([405, 405, 429])
    await using behind = await booted({ RATE_LIMIT_PER_MINUTE: '2', TRUST_PROXY_ENABLED: 'true' })
    const through = (client: string) => (index: number) =>
      behind.from('10.0.0.1', '/plain', { headers: { 'x-forwarded-for': `6.6.6.${index}, ${client}` } })
    expect(await statuses(3, through('1.2.3.4'))).toEqual([405, 405, 429])
    expect(await statuses(3, through('::ffff:1.2.3.5'))).toEqual([405, 405, 429])
    expect(await statuses(1, through('1.2.3.5'))).toEqual([429])
  })

  test('count by the direct peer if it is not a trusted proxy, and one log line names the variable to set', async () => {
    const logger = recordedLogger()
    const env = { RATE_LIMIT_PER_MINUTE: '3', TRUST_PROXY_ENABLED: 'true', TRUST_PROXY_FROM: '10.0.0.1, fd00::/8' }
    await using app = await booted(env, logger)
    const forged = (from: string) => (index: number) =>
      app.from(from, '/plain', { headers: { 'x-forwarded-for': `6.6.6.${index}` } })
    for (const from of ['203.0.113.7', '10.0.0.2', '2001:db8:0:0:0:0:0:1']) {
      expect(await statuses(4, forged(from)), from).toEqual([405, 405, 405, 429])
    }
    expect(await statuses(4, forged('10.0.0.1'))).toEqual([405, 405, 405, 405])
    const warned = logger.lines.filter(({ message }) => message.includes('X-Forwarded-For'))
    expect(warned).toMatchObject([{ level: 'warn', fields: { variable: 'TRUST_PROXY_FROM', from: '203.0.113.7' } }])
    expect(warned[0]?.message).toContain('set TRUST_PROXY_FROM')
  })
})

test('read several X-Forwarded-For headers as one list, in order', async () => {
  await using app = await booted({ TRUST_PROXY_ENABLED: 'true', TRUST_PROXY_HOPS: '2' })
  const { port } = await app.oracle.app.listen({ host: '127.0.0.1', port: 0 })
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': ['6.6.6.6, 203.0.113.9', '10.0.0.3'] }
  const asked = request({ port, host: '127.0.0.1', path: '/plain', method: 'POST', headers }).end('{"text":"hi"}')
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  let address = ''
  for await (const chunk of answer) address += chunk
  expect(address).toBe('203.0.113.9')
})

describe('requests of a DID', () => {
  test('are counted from any address; failed ones count only for the address', async () => {
    await using app = await booted({ RATE_LIMIT_PER_MINUTE: '100', RATE_LIMIT_DID_PER_MINUTE: '3' })
    const ask = async (index: number, authorization: string) =>
      app.from(`1.2.3.${index}`, '/sessions', { headers: { authorization } })
    const actor = testActor(app.oracle.app)
    const token = async () => `Bearer ${await actor.token()}`
    expect(await statuses(5, () => ask(1, 'Bearer junk'))).toEqual([401, 401, 401, 401, 401])
    expect(await statuses(4, async index => ask(index, await token()))).toEqual([200, 200, 200, 429])
    const refused = await ask(9, await token())
    expect(refused.headers.get('ratelimit-policy')).toBe('"address";q=100;w=60, "did";q=3;w=60')
    expect(refused.headers.get('ratelimit')).toMatch(/^"address";r=99;t=60, "did";r=0;t=\d+$/)
    expect((await refused.json()).detail).toContain('This DID may send 3 requests per minute')
    const other = testActor(app.oracle.app)
    expect((await ask(1, `Bearer ${await other.token()}`)).status).toBe(200)
  })

  test('are counted for the holder that a root granted to, so that a fresh key resets nothing', async () => {
    const controller = createSigningKey()
    const env = {
      RATE_LIMIT_PER_MINUTE: '100',
      RATE_LIMIT_DID_PER_MINUTE: '3',
      ORACLE_ACCESS: 'delegated',
      ORACLE_CONTROLLERS: controller.did,
    }
    await using app = await booted(env)
    const holder = await delegatedActor(app.oracle.app, { key: controller })
    const ask = async () => (await delegatedActor(app.oracle.app, holder)).request('/sessions')
    expect(await statuses(4, ask)).toEqual([200, 200, 200, 429])
    expect((await (await delegatedActor(app.oracle.app, { key: controller })).request('/sessions')).status).toBe(200)
  })

  test('a chat stream reports its limits', async () => {
    await using app = await booted({ RATE_LIMIT_PER_MINUTE: '100', RATE_LIMIT_DID_PER_MINUTE: '3' })
    const { url } = await app.oracle.app.listen({ host: '127.0.0.1', port: 0 })
    const target = {
      request: (path: string, init?: RequestInit) => fetch(url + path, init),
      identity: app.oracle.app.identity,
    }
    const answer = await testActor(target).request('/chat', { json: { message: 'hi' } })
    expect(answer.headers.get('ratelimit')).toMatch(/^"address";r=99;t=60, "did";r=2;t=60$/)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(answer.headers.get('cache-control')).toBe('no-store, no-transform')
    await answer.text()
  })
})

describe('a route with its own limit and its own rejection format', () => {
  test('shares its count with those of the same name, and not with others', async () => {
    await using app = await booted({ RATE_LIMIT_PER_MINUTE: '2' })
    const ask = (path: string) => app.post('1.2.3.4', path)
    expect(await statuses(5, index => ask(index % 2 ? '/one' : '/two'))).toEqual([200, 200, 200, 429, 429])
    const refused = await ask('/one')
    expect([await refused.text(), refused.headers.get('content-type')]).toEqual([
      'END rate_limited',
      expect.stringContaining('text/plain'),
    ])
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(refused.headers.get('ratelimit-policy')).toBe('"desk";q=3;w=60')
    expect(await statuses(3, () => ask('/plain'))).toEqual([200, 200, 429])
    expect(await (await app.post('1.2.3.5', '/one')).text()).toBe('1.2.3.5')
  })

  test('may choose the limit of each request by its headers and address', async () => {
    const chosen: RouteOptions = {
      rateLimit: c => {
        if (c.req.header('x-free') !== undefined) return false
        const isKnown = c.get('clientAddress') === '9.9.9.9'
        return isKnown ? { name: 'known', perMinute: 4 } : { name: 'strangers', perMinute: 2 }
      },
    }
    const plugins = [officePlugin({ routes: [gateway('/one', chosen)] })]
    await using oracle = await testApp({ plugins, env: { RATE_LIMIT_PER_MINUTE: '1' } })
    const ask = (clientAddress: string, headers: Record<string, string> = {}) => {
      const init = {
        method: 'POST',
        body: '{"text":"hi"}',
        headers: { 'content-type': 'application/json', ...headers },
      }
      return oracle.app.fetch(new Request('http://localhost/one', init), { clientAddress })
    }
    expect(await statuses(3, () => ask('1.2.3.4'))).toEqual([200, 200, 429])
    expect(await statuses(5, () => ask('9.9.9.9'))).toEqual([200, 200, 200, 200, 429])
    expect((await ask('9.9.9.9')).headers.get('ratelimit-policy')).toBe('"known";q=4;w=60')
    expect(await statuses(9, () => ask('1.2.3.4', { 'x-free': '1' }))).toEqual(Array(9).fill(200))
  })

  test('may reject a request before its body is read', async () => {
    const admit: RouteOptions['admit'] = c =>
      c.req.header('x-pass') === 'yes' ? undefined : { status: 403, code: 'desk_closed', detail: 'The desk is closed.' }
    const routes = [gateway('/one', { admit, refuse: own.refuse! }), gateway('/two', { admit })]
    await using oracle = await testApp({ plugins: [officePlugin({ routes })] })
    const ask = (path: string, headers: Record<string, string>, text: string) =>
      oracle.app.request(path, {
        method: 'POST',
        body: text,
        headers: { 'content-type': 'application/json', ...headers },
      })
    expect((await ask('/two', { 'x-pass': 'yes' }, '{"text":"hi"}')).status).toBe(200)
    const refused = await ask('/two', {}, '{')
    expect([refused.status, (await refused.json()).detail]).toEqual([403, 'The desk is closed.'])
    expect(await (await ask('/one', {}, '{')).text()).toBe('END desk_closed')
  })

  test('formats invalid bodies and errors of its handler itself', async () => {
    await using app = await booted({})
    const send = async (body: string, type = 'application/json') => {
      const init = { method: 'POST', body, headers: { 'content-type': type } }
      const answer = await app.from('1.2.3.4', '/one', init)
      return [answer.status, await answer.text()]
    }
    expect(await send('{')).toEqual([200, 'END json_invalid'])
    expect(await send('{}')).toEqual([200, 'END input_invalid'])
    expect(await send('x'.repeat(2_000_000))).toEqual([200, 'END body_too_large'])
    await using other = await booted({})
    const init = { method: 'POST', body: 'a=b', headers: { 'content-type': 'text/csv' } }
    expect(await (await other.from('1.2.3.4', '/one', init)).text()).toBe('END content_type_unsupported')
    expect(await (await other.post('1.2.3.4', '/one', 'throw')).text()).toBe('END internal_error')
    expect((await other.post('1.2.3.4', '/plain', 'throw')).status).toBe(500)
  })
})

/** Creates a plugin that counts by its own key. */
const counting = (name: string) => {
  const made = Promise.withResolvers<Host['limits']>()
  const plugin = samplePlugin(name, {
    setup: ({ limits }) => {
      made.resolve(limits)
      return {}
    },
  })
  return { plugin, take: async (key: string) => (await made.promise).take({ name: 'codes', key, perMinute: 3 }) }
}

const allowed = async (count: number, take: () => Promise<{ allowed: boolean }>): Promise<number> => {
  let sum = 0
  for (let index = 0; index < count; index += 1) if ((await take()).allowed) sum += 1
  return sum
}

test('a plugin counts by its own keys, separately from other plugins', async () => {
  const [one, other] = [counting('one'), counting('other')]
  await using _oracle = await testApp({ plugins: [one.plugin, other.plugin] })
  expect(await allowed(5, () => one.take('ada'))).toBe(3)
  expect(await allowed(1, () => one.take('bob'))).toBe(1)
  expect(await allowed(5, () => other.take('ada'))).toBe(3)
  expect(await one.take('ada')).toMatchObject({ allowed: false, limit: 3, remaining: 0, endsInMs: expect.any(Number) })
})

describe.skipIf(postgres === undefined)('several processes on one PostgreSQL', () => {
  test('allow an address as much together as one does', async () => {
    const env = {
      DATABASE_URL: (await postgres?.createDatabase()) ?? '',
      ORACLE_MNEMONIC: createMnemonic(12).reveal(),
      RATE_LIMIT_PER_MINUTE: '20',
    }
    await using one = await booted(env)
    await using two = await booted(env)
    const all = await statuses(50, index => (index % 2 ? one : two).from('1.2.3.4', '/plain'))
    expect(all.filter(status => status !== 429).length).toBe(20)
  })

  test('share the counts of a plugin', async () => {
    const env = { DATABASE_URL: (await postgres?.createDatabase()) ?? '', ORACLE_MNEMONIC: createMnemonic(12).reveal() }
    const [one, two] = [counting('one'), counting('one')]
    await using _one = await testApp({ plugins: [one.plugin], env })
    await using _two = await testApp({ plugins: [two.plugin], env })
    let turn = 0
    expect(await allowed(10, () => (turn++ % 2 ? one : two).take('ada'))).toBe(3)
  })

  test('continue to limit separately while the database is down', async () => {
    const env = { DATABASE_URL: (await postgres?.createDatabase()) ?? '', RATE_LIMIT_PER_MINUTE: '5' }
    await using one = await booted(env)
    expect((await one.from('1.2.3.4', '/plain')).status).toBe(405)
    await postgres?.crash()
    const all = await statuses(10, () => one.from('1.2.3.5', '/plain'))
    await postgres?.restart()
    expect(all).toEqual([405, 405, 405, 405, 405, 429, 429, 429, 429, 429])
  })
})
