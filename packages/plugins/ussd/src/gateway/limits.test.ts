import { sharePostgres } from '@sibyl/storage/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { dial, gatewayApp } from './gateway-app.test.helper.ts'

const postgres = await sharePostgres()

afterAll(() => postgres?.stop())

const limitedText = 'END Too many requests. Please try again later.'
const secret = 'a-secret-of-the-gateway'

/** Returns the statuses of sequential requests. */
const statuses = async (count: number, ask: (index: number) => Promise<Response>): Promise<number[]> => {
  const all: number[] = []
  for (let index = 0; index < count; index += 1) all.push((await ask(index)).status)
  return all
}

const passed = (all: readonly number[]): number => all.filter(status => status === 200).length

/** Returns a different phone number for each index. */
const phone = (index: number) => `+26097${String(index).padStart(7, '0')}`

describe('an address that is not a trusted gateway', () => {
  test('may send 100 requests a minute, valid or not; then it gets 429 with a text for the phone and the time to wait', async () => {
    await using app = await gatewayApp({ env: { RATE_LIMIT_PER_MINUTE: '5' } })
    const all = await statuses(130, index =>
      app.post(index % 2 ? dial() : '{', {
        from: '203.0.113.7',
        headers: { 'x-forwarded-for': `198.51.100.${index}` },
      }),
    )
    expect(all.indexOf(429)).toBe(100)
    expect(passed(all)).toBe(100)
    const refused = await app.post(dial(), { from: '203.0.113.7' })
    expect([refused.status, refused.headers.get('content-type'), await refused.text()]).toEqual([
      429,
      expect.stringMatching(/^text\/plain/),
      limitedText,
    ])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await app.post(dial(), { from: '203.0.113.8' })).status).toBe(200)
    expect(app.served).toHaveLength(51)
  })

  test('has one limit for the routes of gateway and operator together', async () => {
    await using app = await gatewayApp({})
    const from = '203.0.113.7'
    expect(passed(await statuses(60, () => app.post(dial(), { from })))).toBe(60)
    const asked = await statuses(60, () => app.send('/api/ussd/sessions', { from }))
    expect([asked.indexOf(429), (await app.post(dial(), { from })).status]).toEqual([40, 429])
  })

  test("is the one that the operator's trusted proxy names", async () => {
    await using app = await gatewayApp({ env: { TRUST_PROXY_ENABLED: 'true' } })
    const through = (client: string) => (index: number) =>
      app.post(dial(), { from: '10.0.0.1', headers: { 'x-forwarded-for': `198.51.100.${index}, ${client}` } })
    expect(passed(await statuses(101, through('203.0.113.7')))).toBe(100)
    expect(passed(await statuses(1, through('203.0.113.8')))).toBe(1)
  })
})

describe('a trusted gateway', () => {
  test.each([
    ['that comes from no proxy', '203.0.113.7', '10.20.0.4'],
    ['that comes through the proxy, which appends the true address', '10.0.0.1', '10.20.0.4, 203.0.113.7'],
  ])('is not established by a forged header %s', async (_, from, forwarded) => {
    await using app = await gatewayApp({
      env: { TRUST_PROXY_ENABLED: 'true', USSD_TRUSTED_GATEWAYS: '10.20.0.0/16', USSD_GATEWAY_ONLY: 'true' },
    })
    expect((await app.post(dial(), { from, headers: { 'x-forwarded-for': forwarded } })).status).toBe(403)
    const through = await app.post(dial(), { from: '10.0.0.1', headers: { 'x-forwarded-for': '10.20.0.4' } })
    expect([through.status, app.served.length]).toEqual([200, 1])
  })

  test.each([
    ['by its address', { USSD_TRUSTED_GATEWAYS: '203.0.113.7' }, '203.0.113.7', {}],
    ['by a network', { USSD_TRUSTED_GATEWAYS: '10.0.0.0/8, 203.0.113.0/28' }, '203.0.113.7', {}],
    ['by a network of IPv6', { USSD_TRUSTED_GATEWAYS: '2001:db8::/32' }, '2001:db8:1::7', {}],
    ['by the secret', { USSD_GATEWAY_SECRET: secret }, '203.0.113.7', { 'x-gateway-secret': secret }],
  ])(
    'recognized %s sends for any number of phones, and each phone has its own limit',
    async (_, env, from, headers) => {
      await using app = await gatewayApp({ env: { ...env, USSD_PHONE_RATE: '3' } })
      expect(
        passed(await statuses(150, index => app.post(dial({ phoneNumber: phone(index) }), { from, headers }))),
      ).toBe(150)
      expect(await statuses(4, () => app.post(dial(), { from, headers }))).toEqual([200, 200, 200, 429])
      const refused = await app.post(dial(), { from, headers })
      expect([await refused.text(), Number(refused.headers.get('retry-after')) > 0]).toEqual([limitedText, true])
      expect((await app.post(dial({ phoneNumber: phone(1) }), { from, headers })).status).toBe(200)
    },
  )

  test('has its own limit, and none with 0', async () => {
    const trusted = { USSD_TRUSTED_GATEWAYS: '203.0.113.7', USSD_PHONE_RATE: '0' }
    await using app = await gatewayApp({ env: { ...trusted, USSD_GATEWAY_RATE: '120' } })
    expect(passed(await statuses(130, () => app.post(dial(), { from: '203.0.113.7' })))).toBe(120)
    await using free = await gatewayApp({ env: { ...trusted, USSD_GATEWAY_RATE: '0' } })
    expect(passed(await statuses(300, () => free.post(dial(), { from: '203.0.113.7' })))).toBe(300)
  })

  test.each([
    ['another secret', { 'x-gateway-secret': `${secret}x` }],
    ['an empty secret', { 'x-gateway-secret': '' }],
    ['a secret of 10 kB', { 'x-gateway-secret': secret.repeat(500) }],
    ['no secret', {}],
    ["a gateway's address in a header", { 'x-forwarded-for': '10.0.0.1', 'x-real-ip': '10.0.0.1' }],
  ])('is not recognized by %s', async (_, headers) => {
    await using app = await gatewayApp({
      env: { USSD_GATEWAY_SECRET: secret, USSD_TRUSTED_GATEWAYS: '10.0.0.1', USSD_GATEWAY_ONLY: 'true' },
    })
    const reply = await app.post(dial(), { from: '203.0.113.7', headers })
    expect([reply.status, await reply.text()]).toEqual([403, 'END This gateway may not call.'])
    expect(app.served).toEqual([])
  })

  test('is the only one that may call with USSD_GATEWAY_ONLY; all other requests are rejected alike', async () => {
    await using app = await gatewayApp({ env: { USSD_TRUSTED_GATEWAYS: '203.0.113.7', USSD_GATEWAY_ONLY: 'true' } })
    expect((await app.post(dial(), { from: '203.0.113.7' })).status).toBe(200)
    for (const body of [dial(), dial({ text: 'x'.repeat(500) }), [], {}, '{', 'x'.repeat(2_000_000)]) {
      expect((await app.post(body, { from: '203.0.113.8' })).status).toBe(403)
    }
    expect((await app.post(dial())).status).toBe(403)
    expect(app.served).toHaveLength(1)
  })
})

describe.skipIf(postgres === undefined)('several processes on one PostgreSQL', () => {
  test('share the limit of a phone and that of an address', async () => {
    const env = {
      DATABASE_URL: (await postgres?.createDatabase()) ?? '',
      ORACLE_MNEMONIC: `${'abandon '.repeat(11)}about`,
      USSD_TRUSTED_GATEWAYS: '203.0.113.7',
      USSD_PHONE_RATE: '20',
    }
    await using one = await gatewayApp({ env })
    await using two = await gatewayApp({ env })
    const ask = (from: string) => (index: number) => (index % 2 ? one : two).post(dial(), { from })
    expect(passed(await statuses(40, ask('203.0.113.7')))).toBe(20)
    expect(passed(await statuses(130, ask('203.0.113.8')))).toBe(100)
  })
})
