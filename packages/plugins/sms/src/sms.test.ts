import { checkPlugin, readStream, recordedLogger, scriptedModel, testActor, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { smsEnv } from './definitions/sms-env.ts'
import { sms } from './sms.ts'
import { type OutboxMessage, preferencesOf, smsFixture } from './testing/sms-fixture.test.support.ts'

const phone = '+260971234567'
const env = { SMS_PROVIDER: 'embedded:' }
const infobip = { SMS_PROVIDER: 'infobip', INFOBIP_API_KEY: 'k', INFOBIP_BASE_URL: 'https://a.example' }

describe('keeps the rules of all plugins:', () => {
  const samples = { to: phone, text: 'The team comes at nine', code: '482913' }
  for (const check of checkPlugin(() => sms(), { env, samples })) test(check.name, check.run)
})

test('a start with invalid variables fails, and names the wrong one', async () => {
  const violations: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
    [{ SMS_PROVIDER: 'africastalking' }, 'AFRICASTALKING_USERNAME'],
    [{ SMS_PROVIDER: 'africastalking', AFRICASTALKING_USERNAME: 'a' }, 'AFRICASTALKING_API_KEY'],
    [{ SMS_PROVIDER: 'infobip', INFOBIP_API_KEY: 'k', SMS_FROM: 'a' }, 'INFOBIP_BASE_URL'],
    [infobip, 'SMS_FROM'],
    [{ SMS_PROVIDER: 'kannel' }, 'KANNEL_USERNAME'],
    [{ SMS_PROVIDER: 'kannel', KANNEL_USERNAME: 'a', KANNEL_PASSWORD: 'b' }, 'SMS_INBOUND_SECRET'],
    [{ SMS_PROVIDER: 'embedded:', SMS_INBOUND_SECRET: 'short' }, 'SMS_INBOUND_SECRET'],
    [{ SMS_PROVIDER: 'embedded:', SMS_QUIET_HOURS: '25:00-07:00' }, 'SMS_QUIET_HOURS'],
    [{ SMS_PROVIDER: 'embedded:', SMS_TIME_ZONE: 'Mars/Olympus' }, 'SMS_TIME_ZONE'],
    [{ SMS_PROVIDER: 'embedded:', SMS_PRICE_PER_PART: '1e-3' }, 'SMS_PRICE_PER_PART'],
    [{ ...infobip, INFOBIP_API_KEY: 'two words' }, 'INFOBIP_API_KEY'],
    [{ SMS_PROVIDER: 'twilio' }, 'SMS_PROVIDER'],
  ]
  for (const [settings, variable] of violations)
    expect(smsEnv.safeParse(settings).error?.issues[0]?.path, variable).toEqual([variable])
  await expect(testApp({ plugins: [sms()], env: { SMS_PROVIDER: 'africastalking' } })).rejects.toThrow(
    "Plugin 'sms' env validation failed for 'AFRICASTALKING_USERNAME'",
  )
})

test('the user sees parts and price, approves, and the SMS is sent once', async () => {
  await using fixture = await smsFixture({ env: { SMS_PRICE_PER_PART: '0.8', SMS_CURRENCY: 'KES' } })
  const text = `The team comes at nine. ${'x'.repeat(140)}`
  const asked = await fixture.chat(`Send an SMS to +260 97 123-4567: ${text}`, 'one')
  const question = asked.events.find(({ type }) => type === 'tool-approval-request')
  expect(JSON.stringify(question)).toContain(`Send an SMS to ${phone}: 2 parts (GSM-7), about 1.60 KES.`)
  expect(await fixture.outbox()).toEqual([])
  const path = `/chat/one/approvals/${question?.approvalId}`
  const approved = await readStream(await fixture.controller.request(path, { json: { decision: 'once' } }))
  expect(approved.text).toBe('The SMS was queued: 2 parts (GSM-7), about 1.60 KES.')
  await expect.poll(fixture.states).toEqual(['sent'])
  expect(await fixture.outbox()).toMatchObject([{ to: '+26097•••4567', text, purpose: 'person', attempts: 1 }])
  const { text: list } = await fixture.chat('Which SMS were sent?', 'two')
  expect(list).toContain('to +26097•••4567, sent: The team comes at nine.')
  expect(list).not.toContain(phone)
  const other = testActor(fixture.oracle.app, () => fixture.clock.now())
  expect(await (await other.request('/sms/messages')).json()).toEqual({ messages: [] })
  const own = await (await fixture.controller.request('/sms/messages')).json()
  expect(own.messages).toMatchObject([{ direction: 'to', phone: '+26097•••4567', parts: 2 }])
})

test('numbers and texts that no SMS can have never reach the question', async () => {
  const calls = ['0971234567', '+26097', '+260971234567890123', 'police', '+26097123456a'].map(to => ({
    tool: 'send_sms',
    input: { to, text: 'hello' },
  }))
  const texts = ['', 'x'.repeat(1_601), 'nul \0', '\ud800'].map(text => ({
    tool: 'send_sms',
    input: { to: phone, text },
  }))
  const model = scriptedModel([{ tool: 'load_capability', input: { name: 'sms' } }, [...calls, ...texts], 'No.'])
  await using fixture = await smsFixture({ model })
  const { events } = await fixture.oracle.chat('Try it')
  expect(events.some(({ type }) => type === 'tool-approval-request')).toBe(false)
  expect(await fixture.outbox()).toEqual([])
})

test('a sender is answered as the person of that phone, in plain text of at most three parts', async () => {
  const model = scriptedModel([
    `# Rain\n**Lusaka** “today” 🌧\n${'A long sentence of rain. '.repeat(60)}`,
    call => (JSON.stringify(call.prompt).includes('as an SMS') ? 'second' : 'no instructions'),
  ])
  await using fixture = await smsFixture({ model })
  expect(await (await fixture.write(phone, 'Rain?', 'one')).json()).toEqual({ taken: 1 })
  expect(await (await fixture.write(phone, 'Rain?', 'one')).json()).toEqual({ taken: 0 })
  await expect.poll(fixture.states).toEqual(['sent'])
  const [answer] = await fixture.outbox()
  expect(answer).toMatchObject({ purpose: 'answer', to: '+26097•••4567' })
  expect(answer?.text).toMatch(/^Rain\nLusaka "today"\nA long sentence of rain\./)
  expect(answer?.text?.length).toBeLessThanOrEqual(459)
  await fixture.write('260971234567', 'And tomorrow?')
  await expect.poll(async () => (await fixture.outbox())[0]?.text).toBe('second')
  const exported = await fixture.seen.people.export(fixture.seen.didOf(phone))
  expect(JSON.stringify(exported)).toContain('And tomorrow?')
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('Rain?')
})

test('opt-out words apply immediately, are confirmed once, and codes are still sent', async () => {
  await using fixture = await smsFixture({
    model: scriptedModel(['Hello.', 'Again.']),
    plugins: [preferencesOf({})],
  })
  const { sender, notices, didOf } = fixture.seen
  await fixture.write(phone, 'Hi')
  await expect.poll(fixture.states).toEqual(['sent'])
  await fixture.write(phone, ' Ａｃｈａ! ')
  await expect.poll(async () => (await fixture.outbox())[0]?.text).toContain('hutapata SMS tena')
  await fixture.write(phone, 'STOP')
  await fixture.write(phone, 'Are you there?')
  await fixture.write(phone, 'HELP')
  const did = didOf(phone)
  await expect(notices.addressOf({ did })).rejects.toMatchObject({ code: 'sms_opted_out' })
  await expect(notices.send({ did, to: phone, text: 'News', idempotencyKey: 'n' })).rejects.toMatchObject({
    code: 'sms_opted_out',
  })
  fixture.clock.jump(1_000)
  await sender.send({ to: phone, text: 'Your report is taken in.', idempotencyKey: 'r' })
  fixture.clock.jump(1_000)
  await sender.send({ to: phone, text: 'Your code is 123456.', idempotencyKey: 'c', sensitive: true })
  await expect.poll(fixture.states).toEqual(['sent', 'refused', 'sent', 'sent'])
  await fixture.write(phone, 'Anza')
  await expect.poll(async () => (await fixture.outbox())[0]?.text).toContain('utapata SMS tena')
  await fixture.write(phone, 'Now?')
  await expect.poll(async () => (await fixture.outbox())[0]?.text).toBe('Again.')
  expect(await notices.addressOf({ did })).toEqual({ to: 'own', shown: '+26097•••4567' })
})

test('the pages of the outbox have each message once, despite new messages and clock jumps', async () => {
  await using fixture = await smsFixture()
  const send = (place: number) =>
    fixture.seen.sender.send({ to: phone, text: `No. ${place}`, idempotencyKey: `${place}` })
  for (let place = 0; place < 5; place += 1) await send(place)
  await expect.poll(fixture.states).toEqual(Array(5).fill('sent'))
  const texts: (string | undefined)[] = []
  for (let cursor = ''; ; ) {
    const page = await (await fixture.operator(`/sms/outbox?limit=2&state=sent${cursor}`)).json()
    texts.push(...page.messages.map(({ text }: OutboxMessage) => text))
    if (page.next === undefined) break
    cursor = `&cursor=${page.next}`
    fixture.clock.jump(3_600_000)
    await send(9)
  }
  expect(texts.toSorted()).toEqual([0, 1, 2, 3, 4].map(place => `No. ${place}`))
  fixture.clock.jump(-86_400_000)
  await send(0)
  expect(await fixture.outbox()).toHaveLength(6)
  for (const query of ['cursor=x', `cursor=${'x'.repeat(201)}`, 'cursor=', 'limit=0', 'limit=201', 'state=lost'])
    expect((await fixture.operator(`/sms/outbox?${query}`)).status, query).toBe(400)
})

test('notices wait in the time zone of the user, also when clocks jump; requested messages are sent immediately', async () => {
  const start = Date.parse('2026-11-22T19:30:00Z')
  const known: Record<string, { timeZone?: string }> = {}
  await using fixture = await smsFixture({
    start,
    env: { SMS_QUIET_HOURS: '21:00-07:00' },
    plugins: [preferencesOf(known)],
  })
  const { sender, notices, didOf } = fixture.seen
  const [early, late] = ['+260971234567', '+15550001234']
  known[didOf(early)] = { timeZone: 'Africa/Lusaka' }
  known[didOf(late)] = { timeZone: 'Not/AZone' }
  for (const [to, key] of [
    [early, 'a'],
    [late, 'b'],
  ] as const)
    await notices.send({ did: didOf(to), to, text: 'News', idempotencyKey: key })
  await expect.poll(async () => (await fixture.states()).sort()).toEqual(['held', 'sent'])
  expect(await fixture.outbox('?state=held')).toMatchObject([
    { to: '+26097•••4567', heldUntil: '2026-11-23T05:00:00.000Z' },
  ])
  await sender.send({ to: early, text: 'Your code is 1.', idempotencyKey: 'c', sensitive: true })
  await sender.send({ to: early, text: 'Taken in.', idempotencyKey: 'd' })
  await expect.poll(async () => (await fixture.states()).filter(state => state === 'sent')).toHaveLength(3)
  // Turns the computer's clock back by a day, and forward again.
  fixture.clock.jump(-86_400_000)
  fixture.clock.jump(86_400_000)
  await fixture.clock.advance(Date.parse('2026-11-23T04:59:00Z') - fixture.clock.now())
  expect(await fixture.outbox('?state=held')).toHaveLength(1)
  await fixture.clock.advance(3_600_000)
  await expect.poll(fixture.states).toEqual(['sent', 'sent', 'sent', 'sent'])
  await fixture.clock.advance(Date.parse('2026-11-23T20:00:00Z') - fixture.clock.now())
  await notices.send({ did: didOf(early), to: early, text: 'Old news', idempotencyKey: 'e' })
  await expect.poll(async () => (await fixture.outbox('?state=held')).length).toBe(1)
  fixture.clock.jump(4 * 86_400_000)
  await fixture.clock.advance(3_600_000)
  await expect.poll(async () => (await fixture.outbox('?state=failed'))[0]?.reason).toBe('it was too old to be sent')
})

test('short codes and names are kept and never answered', async () => {
  await using fixture = await smsFixture({ model: scriptedModel(['Me.']) })
  for (const from of ['20880', 'MTN', '+20880', 'STOP'])
    expect((await fixture.write(from, 'You have won')).status).toBe(200)
  await fixture.write(phone, 'Who?')
  await expect.poll(async () => (await fixture.outbox()).map(({ text }) => text)).toEqual(['Me.'])
})

test('a text that no answer is available is sent once an hour, and not at all to a flood', async () => {
  const log = recordedLogger()
  await using fixture = await smsFixture({
    env: { NODE_ENV: 'production', SMS_INBOUND_PER_MINUTE: '3' },
    logger: log,
  })
  for (let place = 0; place < 5; place += 1) {
    await fixture.write(phone, `Question ${place}`)
    await expect.poll(async () => (await received(fixture)).every(({ state }) => state !== 'waiting')).toBe(true)
  }
  expect(await fixture.outbox()).toMatchObject([{ purpose: 'apology', text: expect.stringContaining('cannot answer') }])
  expect((await received(fixture)).map(({ state }) => state).sort()).toEqual([
    'answered',
    'answered',
    'answered',
    'limited',
    'limited',
  ])
  // In a random id, five digits stand by chance.
  const text = JSON.stringify(log.lines).replaceAll(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g, '')
  expect(text).not.toContain('97123')
})

test('four of one phone wait for their answers at most, so that others have theirs', async () => {
  const gate = Promise.withResolvers<void>()
  const model = scriptedModel(Array(5).fill([{ wait: gate.promise }, 'Well.']))
  await using fixture = await smsFixture({ env: { SMS_INBOUND_PER_MINUTE: '20' }, model })
  const states = async () => (await received(fixture)).map(({ state }) => state).toSorted()
  for (let place = 0; place < 4; place += 1) await fixture.write(phone, `Question ${place}`)
  await expect.poll(() => model.calls.length).toBe(1)
  for (let place = 4; place < 6; place += 1) await fixture.write(phone, `Question ${place}`)
  await expect.poll(states).toEqual(['limited', 'limited', ...Array(4).fill('waiting')])
  await fixture.write('+260977654321', 'And I?')
  await expect.poll(() => model.calls.length).toBe(2)
  gate.resolve()
  await expect.poll(states).toEqual([...Array(4).fill('answered'), 'limited', 'limited'])
})

const received = async (fixture: Awaited<ReturnType<typeof smsFixture>>): Promise<readonly { state: string }[]> => {
  const { sms: kept } = (await fixture.seen.people.export(fixture.seen.didOf(phone))) as {
    sms: { received: { state: string }[] }
  }
  return kept.received
}
