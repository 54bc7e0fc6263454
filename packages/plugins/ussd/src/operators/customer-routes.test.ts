import type { OracleAppOptions } from '@sibyl/core'
import { definePlugin, provide } from '@sibyl/plugin'
import { phoneChannel } from '@sibyl/plugin/phones'
import { type JsonValue, smsSender } from '@sibyl/protocol'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { withoutIds } from '../canaries.test.helper.ts'
import type { SmsMessage } from '../customers/customer-fixture.test.helper.ts'
import { sendUssd } from '../testing/send-ussd.ts'
import { ussd } from '../ussd.ts'
import { recordedLines } from '../ussd-log.test.helper.ts'

const token = 'an-operator-token-of-a-test'
const phoneNumber = '+260971234567'
const note = { operator: 'Mutale', reason: 'Forgot the PIN; identity checked' }
const env = { PIN_ENCRYPTION_KEY: 'ab'.repeat(32), USSD_OPERATOR_TOKEN: token }

interface Answered {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads off an answer
  readonly body: any
}

const boot = async (options: Partial<OracleAppOptions> & { readonly env?: Record<string, string> } = {}) => {
  const oracle = await testApp({ plugins: [ussd()], ...options, env: options.env ?? env })
  const send = async (method: string, path: string, body?: unknown, bearer: string = token): Promise<Answered> => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
    const response = await oracle.app.request(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const post = (path: string, body: unknown) => send('POST', `/api/ussd/customers/${path}`, body)
  return {
    app: oracle.app,
    send,
    post,
    /** Runs both steps. */
    async confirmed(kind: 'resets' | 'unlocks' | 'erasures', target: object) {
      const asked = await post(kind, { ...target, ...note })
      expect(asked.status).toBe(202)
      const { id, confirmation } = asked.body
      return post(`${kind}/${id}/confirm`, { confirmation, operator: 'Bwalya' })
    },
    async account(pin = '830549'): Promise<string> {
      const dialogue = await sendUssd(oracle.app)
      const done = await dialogue.answer('2', '2', 'Chanda Mwila', '1', pin, pin)
      return /\d{9}/.exec(done.text)?.[0] ?? done.text
    },
    logIn: async (customerId: string, pin: string) => (await sendUssd(oracle.app)).answer('2', '1', customerId, pin),
    [Symbol.asyncDispose]: () => oracle.app.close(),
  }
}

const routes = [
  ['POST', '/api/ussd/customers/resets'],
  ['POST', '/api/ussd/customers/resets/0b0f6a0e-6f6c-4a5e-9a39-3f1d1f1f7a55/confirm'],
  ['POST', '/api/ussd/customers/unlocks'],
  ['POST', '/api/ussd/customers/unlocks/0b0f6a0e-6f6c-4a5e-9a39-3f1d1f1f7a55/confirm'],
  ['POST', '/api/ussd/customers/erasures'],
  ['POST', '/api/ussd/customers/erasures/0b0f6a0e-6f6c-4a5e-9a39-3f1d1f1f7a55/confirm'],
  ['POST', '/api/ussd/customers/exports'],
  ['GET', '/api/ussd/customers/actions'],
  ['GET', '/api/ussd/keys'],
] as const

test('rejects other callers on every route, in development too, before anything is read', async () => {
  await using oracle = await boot()
  for (const [method, path] of routes) {
    const answer = await oracle.send(method, path, method === 'POST' ? {} : undefined, 'another-token-altogether')
    expect([path, answer.status, answer.body.code]).toEqual([path, 401, 'operator_token_needed'])
    expect(answer.headers.get('www-authenticate')).toContain('Bearer')
  }
})

test('rejects all callers without a token', async () => {
  await using oracle = await boot({ env: { PIN_ENCRYPTION_KEY: 'ab'.repeat(32) } })
  for (const [method, path] of routes) {
    const answer = await oracle.send(method, path, method === 'POST' ? {} : undefined)
    expect([path, answer.status, answer.body.detail]).toEqual([
      path,
      401,
      expect.stringContaining('USSD_OPERATOR_TOKEN'),
    ])
  }
})

test('a customer who forgot the PIN signs in with a one-time PIN and chooses a new one', async () => {
  // Of five digits, so that none of them is the one-time PIN, which has six.
  await using oracle = await boot()
  const customerId = await oracle.account('83054')
  const reset = await oracle.confirmed('resets', { phoneNumber })
  expect(reset).toMatchObject({ status: 200, body: { pin: expect.stringMatching(/^\d{6}$/) } })
  expect(reset.headers.get('cache-control')).toBe('no-store')
  expect((await oracle.logIn(customerId, '83054')).text).toContain('wrong')
  const signedIn = await oracle.logIn(customerId, reset.body.pin)
  expect(signedIn.text).toContain('choose a new one')
  expect((await signedIn.answer('04612', '04612')).text).toContain('changed')
  expect((await oracle.logIn(customerId, '04612')).text).toContain('My account')
})

test('a customer who forgot the PIN gets a code by SMS with the sms plugin', async () => {
  const sent = Promise.withResolvers<SmsMessage>()
  const sms = definePlugin({
    name: 'sms',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'SMS', summary: 'Keeps what it is to send.', whenToUse: ['a test needs it'] },
    setup: () => ({ services: [provide(smsSender, { send: async message => sent.resolve(message) })] }),
  })
  await using oracle = await boot({ plugins: [ussd(), sms] })
  const customerId = await oracle.account()
  const asked = await (await oracle.logIn(customerId, '617283')).answer('2', customerId)
  const { to, text } = await sent.promise
  expect(to).toBe(phoneNumber)
  const signedIn = await asked.answer(/\d{6}/.exec(text)?.[0] ?? '')
  expect((await signedIn.answer('046129', '046129')).text).toContain('changed')
})

test('an SMS that cannot be sent leaves neither the phone number nor the code in the log', async () => {
  const lines = recordedLines()
  const given = Promise.withResolvers<SmsMessage>()
  const sms = definePlugin({
    name: 'sms',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'SMS', summary: 'Takes nothing in.', whenToUse: ['a test needs it'] },
    setup: () => ({
      services: [
        provide(smsSender, {
          send: async message => {
            given.resolve(message)
            throw new RangeError(`${message.to} is unreachable with "${message.text}"`)
          },
        }),
      ],
    }),
  })
  await using oracle = await boot({ plugins: [ussd(), sms], logger: lines.logger })
  const customerId = await oracle.account()
  await (await oracle.logIn(customerId, '617283')).answer('2', customerId)
  const { text } = await given.promise
  await expect.poll(() => lines.text()).toContain('RangeError')
  expect(lines.text()).not.toContain(phoneNumber.slice(1))
  expect(lines.text()).not.toContain(/\d{6}/.exec(text)?.[0])
})

test('unlocks an account and a phone', async () => {
  await using oracle = await boot()
  const customerId = await oracle.account()
  for (let attempt = 1; attempt <= 5; attempt++) await oracle.logIn(customerId, '617283')
  expect((await oracle.logIn(customerId, '830549')).text).toContain('15')
  expect((await oracle.confirmed('unlocks', { customerId })).body).toEqual({ done: true })
  expect((await oracle.logIn(customerId, '830549')).text).toContain('My account')
})

test('exports and erases all records of a phone, and records the operator', async () => {
  await using oracle = await boot()
  const customerId = await oracle.account()
  const kept = await oracle.post('exports', { phoneNumber, ...note })
  expect(kept.body).toMatchObject({
    customers: [{ id: customerId, name: 'Chanda Mwila' }],
    phone: { phoneNumber },
    sessions: [{ serviceCode: '*1234#' }],
    questions: [],
  })
  expect(withoutIds(JSON.stringify(kept.body)).replaceAll(customerId, '')).not.toContain('830549')
  expect((await oracle.confirmed('erasures', { phoneNumber })).body).toEqual({ done: true })
  expect((await oracle.logIn(customerId, '830549')).text).toContain('wrong')
  const { body } = await oracle.send('GET', '/api/ussd/customers/actions?limit=10')
  expect(body.actions).toMatchObject([
    { kind: 'erase', state: 'done', operator: 'Mutale', confirmedBy: 'Bwalya', reason: note.reason },
    { kind: 'export', state: 'done', operator: 'Mutale' },
  ])
  expect(JSON.stringify(body)).not.toContain(phoneNumber.slice(1))
})

test('an erasure ends open sessions, and the next answer begins again, signed out', async () => {
  await using oracle = await boot()
  const customerId = await oracle.account()
  const open = await (await oracle.logIn(customerId, '830549')).answer('3')
  expect(open.text).toContain('Chanda Mwila')
  expect((await oracle.confirmed('erasures', { phoneNumber })).body).toEqual({ done: true })
  expect((await oracle.post('exports', { phoneNumber, ...note })).body.sessions).toEqual([])
  expect((await open.answer('0')).text).not.toContain('My account')
  const { body } = await oracle.send('GET', `/api/ussd/debug/${open.sessionId}`)
  expect(body.debugInfo.context).toMatchObject({ isAuthenticated: false })
})

test("exports and erases the caller's records of the oracle and its plugins as well", async () => {
  const kept = new Map<string, JsonValue>([['did:key:z6MkOther', ['likes tea']]])
  const tries: string[] = []
  const memory = definePlugin({
    name: 'memory',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Memory', summary: 'Remembers.', whenToUse: ['a test needs it'] },
    setup: ({ identity }) => {
      kept.set(identity.pairwiseDid(phoneChannel, phoneNumber), ['grows maize'])
      return {
        personalRecords: {
          export: async did => kept.get(did),
          async erase(did) {
            tries.push(did)
            if (tries.length === 1) throw new Error('away for a moment')
            kept.delete(did)
          },
        },
      }
    },
  })
  await using oracle = await boot({ plugins: [ussd(), memory] })
  const customerId = await oracle.account()
  const asked = await (await oracle.logIn(customerId, '830549')).answer('1', 'What can you do?')
  expect(asked.text).toContain('offline model')
  const person = async () => (await oracle.post('exports', { phoneNumber, ...note })).body.person
  expect(await person()).toEqual({
    sessions: [
      {
        session: expect.any(String),
        messages: [
          { role: 'user', text: 'What can you do?', at: expect.any(String) },
          { role: 'assistant', text: expect.stringContaining('offline model'), at: expect.any(String) },
        ],
      },
    ],
    core: expect.objectContaining({ tokens: [expect.anything()] }),
    memory: ['grows maize'],
  })
  expect((await oracle.confirmed('erasures', { phoneNumber })).body).toEqual({ done: true })
  await expect.poll(person).toEqual({ sessions: [] })
  expect([...kept.values()]).toEqual([['likes tea']])
  expect(tries).toHaveLength(2)
})

test.each([
  ['resets', {}],
  ['resets', { phoneNumber: '0971234567' }],
  ['resets', { customerId: '123456789' }],
  ['resets', { phoneNumber, customerId: '123456782' }],
  ['resets', { phoneNumber, operator: '' }],
  ['resets', { phoneNumber, reason: 'x'.repeat(501) }],
  ['resets', { phoneNumber, operator: 'Mut\u202eale' }],
  ['erasures', { customerId: '123456782' }],
  ['exports', { phoneNumber: `${phoneNumber}x` }],
  ['resets/not-an-id/confirm', { confirmation: 'tilomera' }],
])('rejects %s with %j, and records nothing', async (path, target) => {
  await using oracle = await boot()
  expect(await oracle.post(path, { ...note, ...target })).toMatchObject({
    status: 400,
    body: { code: 'input_invalid' },
  })
  expect((await oracle.send('GET', '/api/ussd/customers/actions')).body).toEqual({ actions: [] })
})

test('neither phone number, PIN, name, customer ID nor confirmation reaches the log', async () => {
  const lines = recordedLines()
  await using oracle = await boot({ logger: lines.logger })
  const customerId = await oracle.account()
  const reset = await oracle.confirmed('resets', { phoneNumber })
  await oracle.confirmed('unlocks', { customerId })
  await oracle.post('resets', { phoneNumber: '+260970000002', ...note })
  await oracle.logIn(customerId, '617283')
  for (const secret of [
    phoneNumber.slice(1),
    '260970000002',
    customerId,
    'Chanda',
    '830549',
    '617283',
    reset.body.pin,
  ]) {
    expect(lines.text()).not.toContain(secret)
  }
})

test('lists the keys by ID, with the rows that need them', async () => {
  await using oracle = await boot({ env: { ...env, PIN_ENCRYPTION_OLD_KEYS: 'cd'.repeat(32) } })
  await oracle.account()
  const { body } = await oracle.send('GET', '/api/ussd/keys')
  expect(body.keys).toMatchObject([
    { id: expect.stringMatching(/^[0-9a-f]{8}$/), state: 'current', rows: { ussd_customers: 1, ussd_sessions: 1 } },
    { id: expect.stringMatching(/^[0-9a-f]{8}$/), state: 'old', rows: {} },
  ])
  expect(JSON.stringify(body)).not.toMatch(/abab|cdcd/)
})

test('exports and erases an account by the DID of its phone as well', async () => {
  const operator = { ORACLE_OPERATOR_TOKEN: 'operator-token-of-the-tests-01' }
  await using oracle = await boot({ env: { ...env, ...operator } })
  const customerId = await oracle.account()
  await (await oracle.logIn(customerId, '830549')).answer('1', 'What can you do?')
  const headers = { authorization: `Bearer ${operator.ORACLE_OPERATOR_TOKEN}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ address: phoneNumber })
  const found = await oracle.app.request('/operator/people/find', { method: 'POST', headers, body })
  const { did } = await found.json()
  const person = async (method: string, path = '') =>
    oracle.app.request(`/people/${encodeURIComponent(did)}${path}`, { method, headers })
  expect(await (await person('GET', '/export')).json()).toMatchObject({
    ussd: {
      customers: [{ id: customerId, name: 'Chanda Mwila' }],
      phone: { phoneNumber },
      questions: [{ question: 'What can you do?' }],
      did,
    },
  })
  expect((await person('DELETE')).status).toBe(204)
  expect((await oracle.logIn(customerId, '830549')).text).not.toContain('My account')
  expect(await (await person('GET', '/export')).json()).toEqual({ sessions: [] })
})
