import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { dial, gatewayApp } from './gateway-app.test.helper.ts'

const invalidText = 'END Invalid input. Please try again.'
const unavailableText = 'END Service temporarily unavailable. Please try again later.'

describe('POST /api/ussd', () => {
  test('answers CON with the menu and END with the last text, as plain text', async () => {
    await using app = await gatewayApp({
      serve: async ({ text }) => ({ kind: text === '*' ? 'end' : 'continue', text: 'Line 1\n*. Exit' }),
    })
    const menu = await app.post(dial())
    expect([menu.status, menu.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain/)])
    expect(await menu.text()).toBe('CON Line 1\n*. Exit')
    expect(await (await app.post(dial({ text: '*' }))).text()).toBe('END Line 1\n*. Exit')
  })

  test('passes dialed code and caller to the sessions, with the limits of a reply', async () => {
    await using app = await gatewayApp()
    await app.post(dial({ networkCode: '64501', admin: true }))
    await app.post(dial({ text: '1\r\n*2\n' }))
    const common = {
      provider: 'plain',
      sessionId: 'session-1',
      serviceCode: '*1234#',
      phoneNumber: '+260971234567',
      textMode: 'cumulative',
      limits: { gsm7: 182, ucs2: 80 },
    }
    expect(app.served).toEqual([
      { ...common, event: 'dial', text: '' },
      { ...common, event: 'input', text: '1*2' },
    ])
  })

  test('takes the text mode and a longer limit from the variables', async () => {
    await using app = await gatewayApp({ env: { USSD_TEXT_MODE: 'auto', USSD_TEXT_LIMIT: '500' } })
    expect(await (await app.post(dial({ text: '1'.repeat(500) }))).text()).toMatch(/^CON /)
    expect(await (await app.post(dial({ text: '1'.repeat(501) }))).text()).toBe(invalidText)
    expect(app.served).toEqual([expect.objectContaining({ textMode: 'auto' })])
  })

  test.each([
    ['a session id of 100 characters', { sessionId: 's'.repeat(100) }],
    ['a session id of 100 characters outside of the basic plane', { sessionId: '🦤'.repeat(100) }],
    ['a session id with spaces, slashes and letters of any script', { sessionId: 'ATUid / ñ 日 %00' }],
    ['a code of further groups', { serviceCode: '*123*456*7#' }],
    ['the shortest number', { phoneNumber: '+26' }],
    ['the longest number', { phoneNumber: `+${'9'.repeat(15)}` }],
    ['a text of 182 characters', { text: '9'.repeat(182) }],
    ['a text of 182 characters outside of the basic plane', { text: '🦤'.repeat(182) }],
    ['a name with stars', { text: '2*2*A*d*a' }],
    ['direction marks and digits of other scripts in the text, which the flow cleans', { text: '\u202e١\u200f*１' }],
    ['no more than spaces as text', { text: '   ' }],
  ])('accepts %s', async (_, overrides) => {
    await using app = await gatewayApp()
    expect(await (await app.post(dial(overrides))).text()).toMatch(/^CON /)
    expect(app.served).toMatchObject([overrides])
  })
})

const wrongFields: Record<string, Record<string, unknown>> = {
  'a phone number without +': { phoneNumber: '260971234567' },
  'a phone number with 00': { phoneNumber: '00260971234567' },
  'a phone number that starts with +0': { phoneNumber: '+0971234567' },
  'a phone number of 16 digits': { phoneNumber: '+1234567890123456' },
  'a phone number of one digit': { phoneNumber: '+1' },
  'a phone number with spaces': { phoneNumber: '+260 97 1234567' },
  'a phone number with a line break': { phoneNumber: '+260971234567\n' },
  'a phone number of full-width digits': { phoneNumber: '+２６０９７１２３４５６７' },
  'a phone number of Arabic digits': { phoneNumber: '+٢٦٠٩٧١٢٣٤٥٦٧' },
  'a phone number as a number': { phoneNumber: 260971234567 },
  'a phone number in a list': { phoneNumber: ['+260971234567'] },
  'no phone number': { phoneNumber: undefined },
  'null as phone number': { phoneNumber: null },
  'a service code without star': { serviceCode: '1234#' },
  'a service code without hash': { serviceCode: '*1234' },
  'a service code of letters': { serviceCode: '*12a4#' },
  'a service code with an empty group': { serviceCode: '*12**34#' },
  'a service code of star and hash': { serviceCode: '*#' },
  'a service code with a line break': { serviceCode: '*1234#\n' },
  'a service code of full-width digits': { serviceCode: '*１２３４#' },
  'a service code of 183 characters': { serviceCode: `*${'1'.repeat(181)}#` },
  'an empty service code': { serviceCode: '' },
  'a session id of 101 characters': { sessionId: 's'.repeat(101) },
  'an empty session id': { sessionId: '' },
  'a session id with NUL': { sessionId: 'a\u0000b' },
  'a session id with a line break': { sessionId: 'a\nb' },
  'a session id with a direction mark': { sessionId: 'a\u202eb' },
  'a session id with an invisible character': { sessionId: 'a\u200bb' },
  'a session id with half a surrogate pair': { sessionId: 'a\ud83d' },
  'a session id that is an object': { sessionId: { $ne: null } },
  'a text of 183 characters': { text: '1'.repeat(183) },
  'a text of 183 characters outside of the basic plane': { text: '🦤'.repeat(183) },
  'a text with NUL': { text: '1\u0000' },
  'a text with an escape character': { text: '\u001b[31m' },
  'a text with a line separator': { text: '1\u2028' },
  'a text with half a surrogate pair': { text: '\udc00' },
  'a number as text': { text: 1 },
  'a list as text': { text: ['1'] },
  'no text': { text: undefined },
}

const wrongBodies: Record<string, string | Uint8Array> = {
  nothing: '',
  'half a JSON': '{"sessionId": ',
  'a word': 'hello',
  'a list': '[]',
  'a list of requests': JSON.stringify([dial()]),
  'a text': '"*1234#"',
  'a number': '1e999',
  null: 'null',
  'an object without members': '{}',
  'JSON nested 100,000 levels deep': `{"text":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  'a key __proto__': JSON.stringify(dial()).replace('{', '{"__proto__":{"isAuthenticated":true},'),
  'a form': 'sessionId=a&serviceCode=*1234%23&phoneNumber=%2B260971234567&text=',
  'bytes that are not UTF-8 in the text': Buffer.from(JSON.stringify(dial({ text: 'caf\u00e9' })), 'latin1'),
  'bytes that are not UTF-8 in the session id': Buffer.from(JSON.stringify(dial({ sessionId: '\u00ff' })), 'latin1'),
  'UTF-16': Buffer.from(JSON.stringify(dial()), 'utf16le'),
  'random bytes': Buffer.from('8badf00d00ff'.repeat(40), 'hex'),
  '10 MB': JSON.stringify(dial({ text: 'x'.repeat(10_000_000) })),
}

describe('an invalid request', () => {
  test('gets the specified text and reaches no session', async () => {
    await using app = await gatewayApp()
    const bodies = [
      ...Object.entries(wrongBodies),
      ...Object.entries(wrongFields).map(([name, field]) => [name, dial(field)]),
    ]
    for (const [name, body] of bodies as [string, unknown][]) {
      const reply = await app.post(body)
      const type = reply.headers.get('content-type')
      expect([reply.status, type, await reply.text()], name).toEqual([
        200,
        expect.stringMatching(/^text\/plain/),
        invalidText,
      ])
    }
    expect(app.served).toEqual([])
  })

  test('has another media type', async () => {
    await using app = await gatewayApp()
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'x',
      '',
    ]) {
      const reply = await app.post(dial(), { headers: { 'content-type': type } })
      expect([reply.status, await reply.text()], type).toEqual([200, invalidText])
    }
    expect(app.served).toEqual([])
  })

  test('has another method or an unknown provider: 405 and 404', async () => {
    await using app = await gatewayApp()
    const answer = await app.send('/api/ussd')
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await app.send('/api/ussd/nobody', { method: 'POST' })).status).toBe(404)
  })
})

describe('a failure of sessions', () => {
  test.each([
    ['an error', new Error('connection to 10.0.0.9 lost')],
    ['no error', 'a text'],
  ])('the phone shows that the service is unavailable: %s', async (_, thrown) => {
    await using app = await gatewayApp({
      serve: async () => {
        throw thrown
      },
    })
    const reply = await app.post(dial())
    expect([reply.status, await reply.text()]).toEqual([200, unavailableText])
  })

  test('also if they take longer than a telecom gateway waits', async () => {
    const hung = Promise.withResolvers<never>()
    await using app = await gatewayApp({ serve: () => hung.promise, env: { USSD_REPLY_TIMEOUT_SECONDS: '1' } })
    const reply = await app.post(dial())
    expect([reply.status, await reply.text()]).toEqual([200, unavailableText])
    hung.reject(new Error('too late for anybody'))
  })
})

test('hostile texts, in each field, get the replies of the specification', async () => {
  const corpus: string[] = JSON.parse(readFileSync(new URL('hostile-texts.test.json', import.meta.url), 'utf8'))
  await using app = await gatewayApp()
  for (const hostile of corpus) {
    for (const field of ['sessionId', 'serviceCode', 'phoneNumber', 'text']) {
      const reply = await app.post(dial({ [field]: hostile }))
      const text = await reply.text()
      expect([reply.status, text === invalidText || text.startsWith('CON ')], `${field}: ${hostile}`).toEqual([
        200,
        true,
      ])
      if (field === 'serviceCode' || field === 'phoneNumber') expect(text, `${field}: ${hostile}`).toBe(invalidText)
    }
  }
  for (const { sessionId, serviceCode, phoneNumber } of app.served) {
    expect([serviceCode, phoneNumber]).toEqual(['*1234#', '+260971234567'])
    expect(sessionId).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  }
})
