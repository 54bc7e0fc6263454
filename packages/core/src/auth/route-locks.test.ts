import { type PluginParts, route } from '@sibyl/plugin'
import type { Access } from '@sibyl/plugin/host'
import { recordedLogger } from '@sibyl/plugin/testing'
import { testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { officePlugin } from '../testing/office-plugin.ts'

const locked = (access: Access, path: string, handle: (c: never) => unknown = () => new Response('open')) =>
  route.get(path, { auth: access, summary: 'A route', ok: { 200: { description: 'fine' } } }, handle as () => Response)

const operatorToken = 'operator-token-0123456789'
const key = 'key-of-alice-0123456789'

const env = {
  ORACLE_OPERATOR_TOKEN: operatorToken,
  SHOP_API_KEYS: `alice:${key}:read+write:did:key:z6MkAlice,bob:key-of-bob-0123456789`,
}

const oracle = (parts: PluginParts, more: Record<string, string> = {}) =>
  testApp({ plugins: [officePlugin(parts, 'shop')], env: { ...env, ...more } })

const everyAccess: PluginParts = {
  routes: [
    locked('public', '/public'),
    locked('own', '/own'),
    locked('operator', '/operator', c => Response.json((c as { get(name: string): unknown }).get('actor'))),
    locked({ ucan: 'shop/read' }, '/ucan'),
    locked({ apiKey: 'SHOP_API_KEYS' }, '/key', c => Response.json((c as { get(name: string): unknown }).get('actor'))),
    locked({ apiKey: 'SHOP_API_KEYS', orUcan: 'shop/read' }, '/key-or-ucan'),
  ],
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

describe('access control of a route', () => {
  test('rejects requests without the credentials that it names', async () => {
    await using app = await oracle(everyAccess)
    const statusOf = async (path: string, init?: RequestInit) => (await app.app.request(path, init)).status
    const ucan = await app.actor.token(['shop/read'])
    for (const [path, none, wrong, asOperator, withKey, withUcan] of [
      ['/public', 200, 200, 200, 200, 200],
      ['/own', 200, 200, 200, 200, 200],
      ['/operator', 401, 401, 200, 401, 403],
      ['/ucan', 401, 401, 401, 401, 200],
      ['/key', 401, 401, 401, 200, 401],
      ['/key-or-ucan', 401, 401, 401, 200, 200],
    ] as const) {
      const statuses = [
        await statusOf(path),
        await statusOf(path, bearer('wrong-token-0123456789')),
        await statusOf(path, bearer(operatorToken)),
        await statusOf(path, bearer(key)),
        await statusOf(path, bearer(ucan)),
      ]
      expect(statuses, path).toEqual([none, wrong, asOperator, withKey, withUcan])
    }
  })

  test('identifies the caller', async () => {
    await using app = await oracle(everyAccess)
    expect(await (await app.app.request('/key', bearer(key))).json()).toEqual({
      did: 'did:key:z6MkAlice',
      via: 'api-key',
      grant: { apiKey: { variable: 'SHOP_API_KEYS', name: 'alice' } },
      scopes: ['read', 'write'],
    })
    expect(await (await app.app.request('/operator', bearer(operatorToken))).json()).toMatchObject({ via: 'operator' })
  })

  test('rejects everything if neither an operator token nor keys are set', async () => {
    await using app = await oracle(everyAccess, { ORACLE_OPERATOR_TOKEN: '', SHOP_API_KEYS: '' })
    for (const token of ['', 'undefined', 'null', operatorToken, key]) {
      expect((await app.app.request('/operator', bearer(token))).status).toBe(401)
      expect((await app.app.request('/key', bearer(token))).status).toBe(401)
    }
  })
})

describe('getAuthExcludedRoutes', () => {
  test('protects routes that it omits; other credentials keep their own access control', async () => {
    const parts = { ...everyAccess, getAuthExcludedRoutes: () => [{ method: 'GET', path: '/public' }] }
    await using app = await oracle(parts)
    const ucan = bearer(await app.actor.token())
    const statusOf = async (path: string, init?: RequestInit) => (await app.app.request(path, init)).status
    expect(await statusOf('/public')).toBe(200)
    expect([await statusOf('/own'), await statusOf('/own', ucan)]).toEqual([401, 200])
    expect([await statusOf('/operator'), await statusOf('/operator', ucan)]).toEqual([401, 403])
    expect([await statusOf('/key'), await statusOf('/key', ucan)]).toEqual([401, 401])
  })

  test('opens UCAN routes of the plugin, by wildcards as well, and logs each', async () => {
    const shop: PluginParts = {
      routes: [
        locked('operator', '/shop/all'),
        locked({ apiKey: 'SHOP_API_KEYS' }, '/shop/keys'),
        locked({ ucan: 'shop/read' }, '/shop/{id}'),
        locked({ ucan: 'shop/read' }, '/shop/{id}/parts'),
        locked({ ucan: 'shop/read' }, '/stock/{id}'),
      ],
      getAuthExcludedRoutes: () => [{ method: 'GET', path: '/shop/*' }],
    }
    const other: PluginParts = { routes: [locked({ ucan: 'other/read' }, '/shop-2/{id}')] }
    const log = recordedLogger()
    await using app = await testApp({
      plugins: [officePlugin(shop, 'shop'), officePlugin(other, 'other')],
      env,
      logger: log,
    })
    const statusOf = async (path: string) => (await app.app.request(path)).status
    expect([await statusOf('/shop/7'), await statusOf('/shop/7/parts')]).toEqual([200, 200])
    for (const path of ['/shop/all', '/shop/keys', '/stock/7', '/shop-2/7', '/sessions', '/shop/%2e%2e/stock/7']) {
      expect([path, await statusOf(path)]).toEqual([path, path.includes('%2e') ? expect.any(Number) : 401])
    }
    const opened = log.lines.map(({ message }) => message).filter(line => line.includes('opened'))
    expect(opened).toEqual([
      '[boot] opened: GET /shop/{id} (shop, without a UCAN)',
      '[boot] opened: GET /shop/{id}/parts (shop, without a UCAN)',
    ])
  })

  test('if empty, makes nothing public', async () => {
    await using app = await oracle({ ...everyAccess, getAuthExcludedRoutes: () => [] })
    expect((await app.app.request('/public')).status).toBe(401)
    expect((await app.app.request('/health')).status).toBe(200)
  })
})

test('routes() lists every route with its owner and its access', async () => {
  const parts = { ...everyAccess, getAuthExcludedRoutes: () => [{ method: 'GET', path: '/public' }] }
  await using app = await oracle(parts)
  const routes = app.app.routes().map(({ owner, access, definition }) => ({ owner, access, path: definition.path }))
  expect(routes).toContainEqual({
    owner: 'core',
    access: { ucan: 'session/read', orOperator: true },
    path: '/capabilities',
  })
  expect(routes.filter(({ owner }) => owner === 'shop')).toEqual([
    { owner: 'shop', access: 'public', path: '/public' },
    { owner: 'shop', access: { ucan: 'shop/call' }, path: '/own' },
    { owner: 'shop', access: 'operator', path: '/operator' },
    { owner: 'shop', access: { ucan: 'shop/read' }, path: '/ucan' },
    { owner: 'shop', access: { apiKey: 'SHOP_API_KEYS' }, path: '/key' },
    { owner: 'shop', access: { apiKey: 'SHOP_API_KEYS', orUcan: 'shop/read' }, path: '/key-or-ucan' },
  ])
})

describe('a route handler', () => {
  const violations: [string, () => unknown][] = [
    [
      'throws',
      () => {
        throw new Error('hunter2')
      },
    ],
    [
      'throws a text',
      () => {
        throw 'hunter2'
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('hunter2')
      },
    ],
    ['gives back nothing', () => undefined],
    ['gives back a text', () => 'hunter2'],
    ['gives back an object', () => ({ status: 200, body: 'hunter2' })],
    ['gives back null', async () => null],
  ]
  for (const [name, handle] of violations) {
    test(`that ${name} gets a problem without internals; the next request is answered`, async () => {
      const logger = recordedLogger()
      const plugin = officePlugin({ routes: [locked('public', '/faulty', handle), locked('public', '/sound')] })
      await using app = await testApp({ plugins: [plugin], logger })
      const answer = await app.app.request('/faulty')
      const text = await answer.text()
      expect([answer.status, JSON.parse(text).code]).toEqual([500, 'internal_error'])
      expect(text).not.toContain('hunter2')
      expect(logger.lines.some(({ level, message }) => level === 'error' && message === 'a request failed')).toBe(true)
      expect(await (await app.app.request('/sound')).text()).toBe('open')
    })
  }

  test('may return the response of a fetch', async () => {
    const upstream = await testApp({ plugins: [] })
    const { url } = await upstream.app.listen({ port: 0, host: '127.0.0.1' })
    const plugin = officePlugin({ routes: [locked('public', '/proxy', () => fetch(`${url}/health`))] })
    await using app = await testApp({ plugins: [plugin] })
    const answer = await app.app.request('/proxy')
    expect([answer.status, (await answer.json()).status]).toEqual([200, 'ok'])
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    await upstream.app.close()
  })
})
