/** @module-tag long */
import { readFile } from 'node:fs/promises'
import type { OracleApp } from '@sibyl/core'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { type RecordedRequest, recordedSessionSchema } from '../testing/recorded-session.ts'
import { ussd } from '../ussd.ts'
import { bundledProviders } from './bundled-providers.ts'
import type { UssdProvider, WireRequest } from './ussd-provider.ts'

/** Returns a generator of reproducible numbers from 0 to below 1. */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}

const names = [
  ...['sessionId', 'SessionId', 'sessionID', 'SESSIONID', 'session_id', 'phoneNumber', 'Mobile', 'msisdn', 'MSISDN'],
  ...['session_msisdn', 'serviceCode', 'ServiceCode', 'shortCode', 'session_from', 'text', 'Message', 'userData'],
  ...[
    'USERDATA',
    'session_msg',
    'Type',
    'MSGTYPE',
    'newSession',
    'newRequest',
    'session_operation',
    'command',
    'payload',
  ],
  ...['Sequence', 'status', 'durationInMillis', 'userID', 'USERID', 'operator', 'charge'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', 'then', 'toJSON'],
]

const texts = [
  ...[
    's1',
    '+254711000111',
    '233244123456',
    '*384#',
    '*384*1#',
    '',
    '1',
    '*',
    '1*1',
    'initiation',
    'Response',
    'begin',
  ],
  ...[
    'continue',
    'initiate',
    'end',
    'true',
    'x'.repeat(5000),
    '9'.repeat(5000),
    '\u0000',
    '\ud800',
    '\u202e1',
    '１',
    '0x10',
  ],
  ...["' or 1=1", '{{7*7}}', '{session}', '\n', '*'.repeat(3000), '-1', '1e400', 'NaN'],
]

const hostileValues = [...texts, 0, 1, -1, 1.5, 1e300, 233244123456, true, false, null, [], [1], {}, { a: { b: 1 } }]

type Fields = Record<string, unknown>

/** Changes up to three fields of valid requests. */
const mutations = (random: () => number) => {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const set = (fields: Fields, name: string, value: unknown) =>
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true })
  const mutate = (right: Fields): Fields => {
    const fields = structuredClone(right)
    for (let left = Math.floor(random() * 4); left > 0; left -= 1) {
      const name = random() < 0.8 ? pick(Object.keys(right)) : pick(names)
      if (random() < 0.2) delete fields[name]
      else set(fields, name, pick(hostileValues))
    }
    return fields
  }
  return { pick, mutate }
}

const rightRequests = async (name: string): Promise<RecordedRequest[]> => {
  const file = new URL(`../testing/recordings/${name}.json`, import.meta.url)
  const { exchanges } = recordedSessionSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  return exchanges.map(({ request }) => request).filter(({ body }) => typeof body !== 'string')
}

const fieldsOf = ({ query, body }: RecordedRequest) => (query ?? body) as Fields

const wireOf = (provider: UssdProvider, { method, path }: RecordedRequest, fields: unknown): WireRequest => ({
  method,
  path: path.slice(`/api/ussd/${provider.name}`.length),
  params: { id: 's1' },
  query: method === 'GET' ? (fields as Record<string, string>) : {},
  body: method === 'GET' ? undefined : fields,
})

const answerOf = (provider: UssdProvider, wire: WireRequest) => {
  const message = provider.read(wire)
  if (message === undefined) return provider.fault('invalid', 'Invalid input.', wire, undefined)
  if (message.event === 'release' || message.event === 'timeout') return provider.acknowledge(wire, message)
  return provider.write({ kind: 'end', text: 'Bye' }, wire, message)
}

test.each(bundledProviders().map(provider => [provider.name, provider] as const))(
  '%s reads and answers any input without throwing',
  async (name, provider) => {
    const { pick, mutate } = mutations(randomFrom(20260301))
    const requests = await rightRequests(name)
    const understood = { yes: 0, no: 0 }
    for (let round = 0; round < 1000; round += 1) {
      const request = pick(requests)
      const wire = wireOf(provider, request, round % 20 === 0 ? pick(hostileValues) : mutate(fieldsOf(request)))
      const answer = answerOf(provider, wire)
      expect(answer.status).toBe(200)
      if (answer.contentType === 'application/json') JSON.parse(answer.body)
      const message = provider.read(wire)
      understood[message === undefined ? 'no' : 'yes'] += 1
      if (message === undefined) continue
      expect(message.phoneNumber).toMatch(/^\+[1-9]\d{6,14}$/)
      expect(message.serviceCode).toMatch(/^(|\*\d+(\*\d+)*#)$/)
      expect(typeof message.text).toBe('string')
    }
    expect(understood.yes).toBeGreaterThan(100)
    expect(understood.no).toBeGreaterThan(100)
  },
)

test('none of it makes the gateway fail', async () => {
  await using oracle = await testApp({
    plugins: [ussd()],
    env: { PIN_ENCRYPTION_KEY: 'ab'.repeat(32), USSD_GATEWAY_SECRET: secret, USSD_PHONE_RATE: '0' },
  })
  const { pick, mutate } = mutations(randomFrom(7))
  for (const { name } of bundledProviders()) {
    const requests = await rightRequests(name)
    for (let round = 0; round < 30; round += 1) {
      const request = pick(requests)
      const fields = mutate(fieldsOf(request))
      const response = await send(oracle.app, request, fields, pick(sessionIds))
      const answer = await response.text()
      expect([200, 414], `${name} ${JSON.stringify(fields)} ${answer}`).toContain(response.status)
    }
  }
})

const secret = 'known-to-gateways-alone-1234567'

const sessionIds = ['s1', '%00', '%ff', 'x'.repeat(300), '..%2f', '%F0%9F%98%80', "'", '__proto__']

const send = (app: OracleApp, { method, path, headers }: RecordedRequest, fields: Fields, sessionId: string) => {
  const url = path.replace('{session}', sessionId)
  const all = { ...headers, 'x-gateway-secret': secret }
  const pairs = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)])
  const parameters = new URLSearchParams(pairs).toString()
  if (method === 'GET') return app.request(`${url}?${parameters}`, { headers: all })
  const body = headers['content-type'] === 'application/json' ? JSON.stringify(fields) : parameters
  return app.request(url, { method, headers: all, body })
}

const misshapen = [
  ['/api/ussd/hubtel', 'application/json', '{"Type":'],
  ['/api/ussd/hubtel', 'text/plain', 'hello'],
  ['/api/ussd/hubtel', 'application/json', '"x"'],
  ['/api/ussd/africas-talking', 'application/json', '{"text":""}'],
  ['/api/ussd/africas-talking', 'application/x-www-form-urlencoded', 'text=1&text=2'],
  ['/api/ussd/infobip/session/s/start', 'application/json', '[]'],
] as const

test('answers input of another shape in the form of its provider', async () => {
  await using oracle = await testApp({ plugins: [ussd()], env: { PIN_ENCRYPTION_KEY: 'ab'.repeat(32) } })
  for (const [path, type, body] of misshapen) {
    const response = await oracle.app.request(path, { method: 'POST', headers: { 'content-type': type }, body })
    expect(response.status).toBe(200)
    expect(await response.text(), `${path} ${type} ${body}`).toContain('Invalid input. Please try again.')
  }
})

test.each([-260971234567, 260971234567.5, 2.6e21, Number.POSITIVE_INFINITY])(
  'the number %d is not a phone number',
  number => {
    const hubtel = bundledProviders().find(({ name }) => name === 'hubtel')
    const dialled = (Mobile: number) =>
      hubtel?.read({
        method: 'POST',
        path: '',
        params: {},
        query: {},
        body: { Type: 'Initiation', SessionId: 's1', Mobile, ServiceCode: '1234', Message: '*1234#', Sequence: 1 },
      })
    expect(dialled(260971234567)).toMatchObject({ phoneNumber: '+260971234567' })
    expect(dialled(number)).toBeUndefined()
  },
)
