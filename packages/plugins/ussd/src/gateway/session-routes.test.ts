import { describe, expect, test } from 'vitest'
import type { SessionView } from '../sessions/session-lists.ts'
import { gatewayApp } from './gateway-app.test.helper.ts'

const view = (sessionId: string, overrides: Partial<SessionView> = {}): SessionView => ({
  sessionId,
  phoneNumber: '+260971234567',
  state: 'preMenu',
  message: 'Welcome\n1. Know More',
  isAuthenticated: false,
  status: 'active',
  ...overrides,
})

const token = 'an-operator-token-of-a-test'
const bearer = (text: string) => ({ headers: { authorization: `Bearer ${text}` } })

describe('GET /api/ussd/debug/{sessionId}', () => {
  test('returns the record of the specification', async () => {
    await using app = await gatewayApp({ sessions: [view('a'), view('b')] })
    const answer = await app.send('/api/ussd/debug/a')
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await answer.json()).toEqual({
      sessionId: 'a',
      debugInfo: {
        state: 'preMenu',
        context: {
          sessionId: 'a',
          phoneNumber: '+260971234567',
          message: 'Welcome\n1. Know More',
          isAuthenticated: false,
        },
        status: 'active',
      },
      activeSessions: ['a', 'b'],
    })
  })

  test('finds IDs of any characters', async () => {
    const id = 'ATUid / ñ 日 %00?#'
    await using app = await gatewayApp({ sessions: [view(id)] })
    const answer = await app.send(`/api/ussd/debug/${encodeURIComponent(id)}`)
    expect((await answer.json()).sessionId).toBe(id)
  })

  test.each(['none', 'x'.repeat(100), '%00', '%E2%80%AE', '..%2F..%2Fetc'])('of %s is not found', async id => {
    await using app = await gatewayApp({ sessions: [view('a')] })
    const answer = await app.send(`/api/ussd/debug/${id}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
    expect((await answer.json()).code).toBe('session_not_found')
  })
})

test('GET /api/ussd/sessions returns the record of the specification', async () => {
  await using app = await gatewayApp({ sessions: [view('b'), view('a')] })
  expect(await (await app.send('/api/ussd/sessions')).json()).toEqual({ activeSessions: ['b', 'a'], count: 2 })
})

describe('the operator', () => {
  const paths = ['/api/ussd/sessions', '/api/ussd/debug/a', '/api/ussd/debug/none']
  const environments: [string, Record<string, string>][] = [
    ['in development, once a token is set', { USSD_OPERATOR_TOKEN: token }],
    ['in production', { NODE_ENV: 'production', USSD_OPERATOR_TOKEN: token }],
    ['in a test environment', { NODE_ENV: 'test', USSD_OPERATOR_TOKEN: token }],
  ]

  test.each(environments)('requires the token %s', async (_, env) => {
    await using app = await gatewayApp({ sessions: [view('a')], env })
    for (const path of paths) {
      for (const init of [
        {},
        bearer('wrong-token-of-somebody'),
        bearer(`${token}x`),
        bearer(''),
        bearer('x'.repeat(8_000)),
      ]) {
        const answer = await app.send(path, init)
        expect([answer.status, (await answer.json()).code], path).toEqual([401, 'operator_token_needed'])
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
      }
      expect((await app.send(path, bearer(token))).status).toBe(path.endsWith('none') ? 404 : 200)
    }
  })

  test('finds the routes closed in production without a token, and open in development', async () => {
    await using closed = await gatewayApp({ sessions: [view('a')], env: { NODE_ENV: 'production' } })
    await using open = await gatewayApp({ sessions: [view('a')] })
    for (const path of paths.slice(0, 2)) {
      const refused = await closed.send(path)
      expect([refused.status, (await refused.json()).detail]).toEqual([
        401,
        expect.stringContaining('Set USSD_OPERATOR_TOKEN'),
      ])
      expect((await closed.send(path, bearer('undefined'))).status).toBe(401)
      expect((await open.send(path)).status).toBe(200)
    }
  })
})

test('the records are limited to 100 requests a minute per address, as problems', async () => {
  await using app = await gatewayApp({ sessions: [view('a')], env: { RATE_LIMIT_PER_MINUTE: '5' } })
  const statuses: number[] = []
  for (let index = 0; index < 101; index += 1) {
    const path = index % 2 ? '/api/ussd/sessions' : '/api/ussd/debug/a'
    statuses.push((await app.send(path, { from: '203.0.113.7' })).status)
  }
  expect([statuses.indexOf(429), statuses.filter(status => status === 200).length]).toEqual([100, 100])
  expect((await app.post({}, { from: '203.0.113.7' })).status).toBe(429)
})
