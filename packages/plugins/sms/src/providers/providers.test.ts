import { checkOutboundAddress } from '@sibyl/plugin/outbound'
import { scriptedModel } from '@sibyl/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { type OutboxMessage, smsFixture } from '../testing/sms-fixture.test.support.ts'
import { callSecret, startProvider } from '../testing/start-provider.test.support.ts'

const phone = '+260971234567'
const provider = await startProvider()
afterAll(() => provider[Symbol.asyncDispose]())

type Format = 'africastalking' | 'infobip'

const open = async (format: Format, modes: readonly string[] = [], options: Parameters<typeof smsFixture>[0] = {}) => {
  const fixture = await smsFixture({ ...options, env: { ...provider.env[format], ...options.env } })
  let count = 0
  let before = 0
  let requestsBefore = 0
  /** Counts anew from an hour later on, with what the provider does with the next requests. */
  const begin = async (nextModes: readonly string[] = []): Promise<void> => {
    const { taken, requests } = await provider.seen()
    before = taken.length
    requestsBefore = requests.length
    await provider.report({ modes: nextModes })
    fixture.clock.jump(3_600_000)
  }
  await begin(modes)
  return {
    ...fixture,
    begin,
    send: (text = 'Hello', key = `key-${++count}`, sensitive = false) =>
      fixture.seen.sender.send({ to: phone, text, idempotencyKey: key, sensitive }),
    taken: async () => (await provider.taken()).slice(before),
    requests: async () => (await provider.requests()) - requestsBefore,
    /** The one message, once it stands as a test waits for. */
    becomes: (state: string) => expect.poll(async () => (await fixture.outbox())[0]?.state).toBe(state),
    first: async (): Promise<OutboxMessage> => (await fixture.outbox())[0]!,
    results: (path: string, results: unknown[], secret = callSecret) =>
      fixture.oracle.app.request(path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${Buffer.from(`infobip:${secret}`).toString('base64')}`,
        },
        body: JSON.stringify({ results }),
      }),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  }
}

const status = (groupName: string, name = groupName) => ({ groupId: 0, groupName, id: 0, name })

test('the base URL of an operator may be private, and only that of an operator', async () => {
  await expect(checkOutboundAddress(provider.url)).rejects.toMatchObject({ code: 'outbound_refused' })
})

describe("Africa's Talking:", async () => {
  const fixture = await open('africastalking', [], { model: scriptedModel(['Dry.', 'Wet.']) })
  afterAll(() => fixture[Symbol.asyncDispose]())

  test('sends once per key in its form, and takes reports late, twice, early and out of order', async () => {
    await fixture.begin()
    await fixture.send('Hello', 'one')
    await fixture.send('Hello', 'one')
    await fixture.becomes('sent')
    const [sent] = await fixture.taken()
    expect(sent).toEqual({
      path: '/version1/messaging',
      id: sent!.id,
      to: phone,
      text: 'Hello',
      from: '20880',
      key: 'field',
    })
    expect(await fixture.first()).toMatchObject({ cost: 'KES 0.8000' })
    const report = (more: object) =>
      fixture.form('/sms/reports/africastalking', {
        id: sent!.id,
        phoneNumber: phone,
        networkCode: '64501',
        retryCount: '0',
        ...more,
      })
    for (const reported of [
      { status: 'Submitted' },
      { status: 'Success' },
      { status: 'Success' },
      { status: 'Buffered' },
    ])
      expect((await report(reported)).status).toBe(200)
    expect(await fixture.first()).toMatchObject({ state: 'delivered', attempts: 1 })
    await report({ status: 'Failed', failureReason: 'UserIsInactive' })
    expect(await fixture.first()).toMatchObject({ state: 'delivered' })
    expect(await fixture.taken()).toHaveLength(1)
  })

  test('a report that comes before the answer counts once the answer names the message', async () => {
    await fixture.begin(['report-first'])
    const { url } = await fixture.oracle.app.listen({ host: '127.0.0.1', port: 0 })
    await provider.report({ callback: url })
    await fixture.send()
    await fixture.becomes('delivered')
    expect(await fixture.first()).toMatchObject({ cost: 'KES 0.8000' })
  })

  test('a refusal waits as long as it says, and is sent once', async () => {
    await fixture.begin(['429', '503'])
    await fixture.send()
    for (const requests of [1, 2]) {
      await expect.poll(fixture.requests).toBe(requests)
      await fixture.becomes('waiting')
      await fixture.clock.advance(1_900)
      expect(await fixture.requests()).toBe(requests)
      await fixture.clock.advance(200)
    }
    await fixture.becomes('sent')
    expect(await fixture.first()).toMatchObject({ attempts: 3 })
    expect(await fixture.taken()).toHaveLength(1)
  })

  test('an answer that is lost is never sent again, whatever the clock does; its report settles it', async () => {
    for (const mode of ['500', 'reset', 'garbage']) {
      await fixture.begin([mode])
      await fixture.send('Your code is 123456.', mode, true)
      await fixture.becomes('unknown')
      expect(await fixture.first()).toMatchObject({ advice: expect.stringContaining('console of the provider') })
      fixture.clock.jump(-86_400_000)
      await fixture.send('Your code is 123456.', mode, true)
      fixture.clock.jump(86_400_000)
      await fixture.clock.advance(4_000_000)
      expect(await fixture.requests()).toBe(1)
      expect(JSON.stringify(await fixture.outbox())).not.toContain('123456')
      const [sent] = await fixture.taken()
      const report = { id: sent!.id, phoneNumber: phone, status: 'Success' }
      expect((await fixture.form('/sms/reports/africastalking', report)).status).toBe(200)
      await fixture.becomes('delivered')
    }
  })

  test('a report that fits two lost messages settles neither', async () => {
    await fixture.begin(['500', '500'])
    const sent = async () => (await fixture.states()).slice(0, 2)
    await fixture.send()
    await fixture.send()
    await expect.poll(sent).toEqual(['unknown', 'unknown'])
    await fixture.form('/sms/reports/africastalking', { id: 'ATXid_other', phoneNumber: phone, status: 'Success' })
    expect(await sent()).toEqual(['unknown', 'unknown'])
  })

  test('a permanent rejection fails with its reason', async () => {
    await fixture.begin(['blacklist', '400', 'redirect'])
    for (const reason of ['opt-out list', 'answered 400', 'answered 307']) {
      fixture.clock.jump(1_000)
      await fixture.send()
      await fixture.becomes('failed')
      expect((await fixture.first()).reason).toContain(reason)
    }
    expect(await fixture.taken()).toEqual([])
  })

  test('a key that is rejected shows, and the message waits for a better one; a provider that is away too', async () => {
    await fixture.begin(['401'])
    await fixture.send()
    await expect.poll(async () => (await fixture.first()).reason).toContain('rejected the API key')
    expect(fixture.oracle.app.plugins()).toContainEqual(expect.objectContaining({ name: 'sms', state: 'degraded' }))
    await fixture.clock.advance(31_000)
    await fixture.becomes('sent')
    expect(fixture.oracle.app.plugins()).toContainEqual(expect.objectContaining({ name: 'sms', state: 'available' }))
    await using away = await open('africastalking', [], { env: { AFRICASTALKING_BASE_URL: 'http://127.0.0.1:1024' } })
    await away.send('Your code is 123456.', 'late', true)
    await expect.poll(async () => (await away.first()).reason).toContain('ECONNREFUSED')
    await away.clock.advance(900_000)
    await away.becomes('failed')
    expect(JSON.stringify(await away.outbox())).not.toContain('123456')
  })

  test('stores incoming calls before acknowledging them, once; unknown callers and invalid bodies get nothing', async () => {
    await fixture.begin()
    const inbound = (more: object = {}) =>
      fixture.form('/sms/inbound/africastalking', {
        date: '2026-11-22 10:00:00',
        from: phone,
        id: 'in-1',
        linkId: 'link',
        text: 'Rain?',
        to: '20880',
        networkCode: '64501',
        ...more,
      })
    expect((await inbound()).status).toBe(200)
    expect((await inbound()).status).toBe(200)
    await expect.poll(fixture.taken).toMatchObject([{ to: phone, text: 'Dry.' }])

    for (const secret of ['', 'x'.repeat(16), `${callSecret}x`, 'x'.repeat(5_000)]) {
      const refused = await fixture.form('/sms/inbound/africastalking', { from: phone, id: 'in-2', text: 'a' }, secret)
      const problem = await refused.json()
      expect([refused.status, problem.code, problem.detail]).toEqual([401, 'sms_call_refused', undefined])
    }
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-sms-secret': callSecret }
    for (const body of ['', 'id=1', 'from=%00&id=%00&text=%00', `id=${'x'.repeat(5_000)}&from=1&text=a`, '%', '[]'])
      expect(
        (await fixture.oracle.app.request('/sms/inbound/africastalking', { method: 'POST', headers, body })).status,
        body.slice(0, 30),
      ).toBe(400)
    const json = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}' }
    expect((await fixture.oracle.app.request('/sms/inbound/africastalking', json)).status).toBe(415)
    const huge = { method: 'POST', headers, body: `id=1&from=1&text=${'x'.repeat(1_100_000)}` }
    expect((await fixture.oracle.app.request('/sms/inbound/africastalking', huge)).status).toBe(413)
    for (const path of ['/sms/inbound/twilio', '/sms/reports/twilio', '/sms/inbound/embedded'])
      expect((await fixture.form(path, { id: '1' })).status, path).toBe(404)
    expect((await fixture.form('/sms/inbound/infobip', { id: '1' })).status).toBe(401)
    expect((await fixture.form('/sms/reports/africastalking', { id: 'nobody', status: 'Success' })).status).toBe(200)
    expect(await fixture.taken()).toHaveLength(1)
  })
})

describe('Infobip:', async () => {
  const fixture = await open('infobip', [], { model: scriptedModel(['One.', 'Two.']) })
  afterAll(() => fixture[Symbol.asyncDispose]())

  test('sends by our id; reports settle it before the answer is there, and out of order', async () => {
    await fixture.begin(['hold'])
    await fixture.send('Habari')
    await expect.poll(fixture.taken).toHaveLength(1)
    const [sent] = await fixture.taken()
    expect(sent).toMatchObject({ path: '/sms/3/messages', to: '260971234567', text: 'Habari', from: 'Sibyl' })
    expect(await fixture.first()).toMatchObject({ id: sent!.id, state: 'sending' })
    const price = { pricePerMessage: 0.01, currency: 'EUR' }
    const report = { messageId: sent!.id, to: '260971234567', messageCount: 1, price }
    const notify = (reported: object) => fixture.results('/sms/reports/infobip', [{ ...report, status: reported }])
    expect((await notify(status('DELIVERED', 'DELIVERED_TO_HANDSET'))).status).toBe(200)
    await fixture.becomes('delivered')
    expect((await notify(status('DELIVERED', 'DELIVERED_TO_OPERATOR'))).status).toBe(200)
    await provider.report({ release: true })
    await fixture.becomes('delivered')
    expect(await fixture.first()).toMatchObject({ cost: 'EUR 0.0100', attempts: 1 })
    expect((await fixture.results('/sms/reports/infobip', [report], 'x'.repeat(16))).status).toBe(401)
  })

  test('the outcome of a message whose response was lost is queried, and nothing is sent again', async () => {
    await fixture.begin(['500'])
    await fixture.send()
    await fixture.becomes('unknown')
    await fixture.clock.advance(61_000)
    await fixture.becomes('delivered')
    expect(await fixture.requests()).toBe(1)
    expect(await fixture.first()).toMatchObject({ cost: 'EUR 0.0200' })
  })

  test('accepts many concurrent messages, and rejects invalid ones completely', async () => {
    await fixture.begin()
    const results = [
      { messageId: 'a', from: '260971234567', to: '20880', text: 'One?', receivedAt: '2026-11-22T10:00:00.000+0000' },
      { messageId: 'b', from: '260977654321', to: '20880', text: null, cleanText: 'Two?' },
      { messageId: 'a', from: '260971234567', to: '20880', text: 'One?' },
    ]
    expect((await fixture.results('/sms/inbound/infobip', results)).status).toBe(200)
    await expect
      .poll(async () => (await fixture.taken()).map(({ to }) => to).sort())
      .toEqual(['260971234567', '260977654321'])
    for (const bad of [[{ from: '1' }], [{ messageId: 1, from: 2 }], ['x'], Array(2_001).fill(results[0])])
      expect((await fixture.results('/sms/inbound/infobip', bad)).status).toBe(400)
    expect(await fixture.taken()).toHaveLength(2)
    const strange = { messageId: 'nul \0', to: '\ud800', status: status('DELIVERED') }
    expect((await fixture.results('/sms/reports/infobip', [strange])).status).toBe(400)
  })
})
