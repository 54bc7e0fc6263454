import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineUssdProvider } from '../providers/define-ussd-provider.ts'
import type { UssdProvider } from '../providers/ussd-provider.ts'
import { gatewayApp } from './gateway-app.test.helper.ts'

/** Creates a custom provider with every form of requests. */
const acme = (overrides: Partial<UssdProvider> = {}): UssdProvider => ({
  ...defineUssdProvider({
    name: 'acme',
    title: 'Acme Telecom',
    routes: [
      { method: 'post', path: '', takes: 'json', summary: 'A dial or an answer' },
      { method: 'put', path: '/{network}/form', takes: 'form', summary: 'The same as a form' },
      { method: 'get', path: '/ask', takes: 'query', summary: 'The same as a query' },
    ],
    textMode: 'last',
    limits: { gsm7: 160, ucs2: 70 },
    duplicates: { windowMs: 1_500 },
    request: z.object({ id: z.string(), from: z.string(), code: z.string(), said: z.string(), kind: z.string() }),
    read: ({ id, from, code, said, kind }) => ({
      event: kind as 'input',
      sessionId: id,
      phoneNumber: from,
      serviceCode: code,
      text: said,
      echo: { id },
    }),
    write: ({ kind, text }, _wire, { echo = {} }) => ({
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ ...echo, show: text, more: kind === 'continue' }),
    }),
  }),
  ...overrides,
})

const textsOf = (overrides: Record<string, string> = {}) => ({
  id: 'n-1',
  from: '260971234567',
  code: '*1234#',
  said: '2',
  kind: 'input',
  ...overrides,
})

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

const form = (body: Record<string, string> | string): RequestInit => ({
  method: 'PUT',
  body: new URLSearchParams(body).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

const query = (parameters: Record<string, string> | string) => `/api/ussd/acme/ask?${new URLSearchParams(parameters)}`

describe("a provider's routes", () => {
  test('read its JSON, forms and queries, and reply in its form', async () => {
    await using app = await gatewayApp({ providers: [acme()] })
    const answers = [
      await app.send('/api/ussd/acme', json(textsOf())),
      await app.send('/api/ussd/acme/mtn/form', form(textsOf())),
      await app.send(query(textsOf())),
    ]
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(await answer.json()).toEqual({ id: 'n-1', show: 'You typed: 2', more: true })
    }
    const served = {
      provider: 'acme',
      sessionId: 'n-1',
      phoneNumber: '+260971234567',
      serviceCode: '*1234#',
      event: 'input',
      text: '2',
      textMode: 'last',
      limits: { gsm7: 160, ucs2: 70 },
      duplicateWindowMs: 1_500,
    }
    expect(app.served).toEqual([served, served, served])
  })

  test('pass method, path, parameters and query to its adapter', async () => {
    const wires: unknown[] = []
    const read: UssdProvider['read'] = wire => void wires.push(wire)
    await using app = await gatewayApp({ providers: [acme({ read })] })
    await app.send('/api/ussd/acme/mtn%20a/form?a=1&b=%2B', form({ c: '*1#' }))
    await app.send('/api/ussd/acme/ask?a=1')
    expect(wires).toEqual([
      {
        method: 'PUT',
        path: '/mtn a/form',
        params: { network: 'mtn a' },
        query: { a: '1', b: '+' },
        body: { c: '*1#' },
      },
      { method: 'GET', path: '/ask', params: {}, query: { a: '1' }, body: undefined },
    ])
  })

  test('acknowledge the end of a session, which shows nothing', async () => {
    await using app = await gatewayApp({ providers: [acme()], serve: async () => undefined })
    const answer = await app.send('/api/ussd/acme', json(textsOf({ kind: 'release' })))
    expect([answer.status, await answer.text()]).toEqual([200, 'OK'])
    expect(app.served).toMatchObject([{ event: 'release' }])
  })

  test('reject invalid requests in its form, without reaching a session', async () => {
    await using app = await gatewayApp({ providers: [acme()] })
    const broken = `${new URLSearchParams(textsOf())}`.replace('n-1', '%C3%28')
    const requests: [string, string, RequestInit?][] = [
      ['nothing', '/api/ussd/acme', json('')],
      ['half a JSON', '/api/ussd/acme', json('{')],
      ['a list', '/api/ussd/acme', json([textsOf()])],
      ['no phone', '/api/ussd/acme', json({ ...textsOf(), from: undefined })],
      ['a phone of letters', '/api/ussd/acme', json(textsOf({ from: 'anonymous' }))],
      ['a phone of 16 digits', '/api/ussd/acme', json(textsOf({ from: '1234567890123456' }))],
      ['an empty session id', '/api/ussd/acme', json(textsOf({ id: '' }))],
      ['a session id of 101 characters', '/api/ussd/acme', json(textsOf({ id: 'x'.repeat(101) }))],
      ['a session id with NUL', '/api/ussd/acme', json(textsOf({ id: 'a\u0000' }))],
      ['a text of 183 characters', '/api/ussd/acme', json(textsOf({ said: 'x'.repeat(183) }))],
      ['a text with an escape character', '/api/ussd/acme', json(textsOf({ said: '\u001b' }))],
      ['an unknown event', '/api/ussd/acme', json(textsOf({ kind: 'shutdown' }))],
      ['a dial with an answer', '/api/ussd/acme', json(textsOf({ kind: 'dial' }))],
      ['10 MB', '/api/ussd/acme', json(textsOf({ said: 'x'.repeat(10_000_000) }))],
      ['a form where JSON is taken', '/api/ussd/acme', { ...form(textsOf()), method: 'POST' }],
      ['JSON where a form is taken', '/api/ussd/acme/mtn/form', { ...json(textsOf()), method: 'PUT' }],
      [
        'a name twice in a form',
        '/api/ussd/acme/mtn/form',
        form(`${new URLSearchParams(textsOf())}&from=260970000000`),
      ],
      ['__proto__ in a form', '/api/ussd/acme/mtn/form', form(`${new URLSearchParams(textsOf())}&__proto__=x`)],
      [
        '200 fields in a form',
        '/api/ussd/acme/mtn/form',
        form(Array.from({ length: 200 }, (_, at) => `f${at}=1`).join('&')),
      ],
      ['bytes that are not UTF-8 in a form', '/api/ussd/acme/mtn/form', { ...form(''), body: broken }],
      ['a name twice in a query', `${query(textsOf())}&id=n-2`],
      ['nothing in a query', '/api/ussd/acme/ask'],
      ['bytes that are not UTF-8 in a query', query(textsOf()).replace('n-1', '%FF%FE')],
    ]
    for (const [name, path, init] of requests) {
      const answer = await app.send(path, init)
      const type = answer.headers.get('content-type')
      expect([answer.status, type, (await answer.json()).show], name).toEqual([
        200,
        'application/json; charset=utf-8',
        'Invalid input. Please try again.',
      ])
    }
    expect(app.served).toEqual([])
  })

  test('report in its form that the service is unavailable, the limit reached, and the gateway unknown', async () => {
    const failing = async () => {
      throw new Error('no luck')
    }
    await using app = await gatewayApp({ providers: [acme()], serve: failing })
    const answers: Response[] = []
    for (let index = 0; index < 101; index += 1) {
      answers.push(await app.send('/api/ussd/acme', { ...json(textsOf()), from: '203.0.113.7' }))
    }
    expect(await answers[0]!.json()).toEqual({
      id: 'n-1',
      show: 'Service temporarily unavailable. Please try again later.',
      more: false,
    })
    const limited = answers[100]!
    expect([limited.status, (await limited.json()).show, Number(limited.headers.get('retry-after')) > 0]).toEqual([
      429,
      'Too many requests. Please try again later.',
      true,
    ])
    expect((await app.post({}, { from: '203.0.113.7' })).status).toBe(429)
    await using closed = await gatewayApp({ providers: [acme()], env: { USSD_GATEWAY_ONLY: 'true' } })
    const stranger = await closed.send('/api/ussd/acme', json(textsOf()))
    expect([stranger.status, (await stranger.json()).show]).toEqual([403, 'This gateway may not call.'])
  })

  test('reply in the plain form if its own fails', async () => {
    const broken = (): never => {
      throw new Error('a fault of the adapter')
    }
    await using app = await gatewayApp({ providers: [acme({ fault: broken, write: broken })] })
    const answer = await app.send('/api/ussd/acme', json(textsOf()))
    expect([answer.status, await answer.text()]).toEqual([
      200,
      'END Service temporarily unavailable. Please try again later.',
    ])
  })

  test('return 404 and 405 as problems for other requests', async () => {
    await using app = await gatewayApp({ providers: [acme()] })
    const of = async (method: string, path: string) => {
      const answer = await app.send(path, { method })
      return [answer.status, (await answer.json()).code]
    }
    expect(await of('POST', '/api/ussd/nobody')).toEqual([404, 'route_not_found'])
    expect(await of('POST', '/api/ussd/acme/nowhere')).toEqual([404, 'route_not_found'])
    expect(await of('DELETE', '/api/ussd/acme')).toEqual([405, 'method_not_allowed'])
  })
})
