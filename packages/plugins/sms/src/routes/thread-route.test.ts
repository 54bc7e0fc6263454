import { scriptedModel } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { smsFixture } from '../testing/sms-fixture.test.support.ts'
import { callSecret } from '../testing/start-provider.test.support.ts'

const phone = '+260971234567'

type Fixture = Awaited<ReturnType<typeof smsFixture>>

const threadOf = async ({ operator }: Fixture, to: string, more: object = {}) => {
  const response = await operator('/sms/thread', { method: 'POST', body: JSON.stringify({ phone: to, ...more }) })
  return (await response.json()) as {
    phone: string
    messages: { direction: string; text?: string; state: string }[]
    next?: string
  }
}

const textsOf = ({ messages }: Awaited<ReturnType<typeof threadOf>>) =>
  messages.map(({ direction, text }) => `${direction}: ${text}`)

test('a thread has the messages of one phone in both directions, and its number is masked', async () => {
  await using fixture = await smsFixture({ model: scriptedModel(['It will rain.', 'And tomorrow too.']) })
  await fixture.write(phone, 'Rain?')
  await expect.poll(fixture.states).toEqual(['sent'])
  await fixture.write(phone, '<b>And tomorrow?</b>')
  await expect.poll(fixture.states).toEqual(['sent', 'sent'])
  await fixture.seen.sender.send({ to: '+15550001234', text: 'Not for you', idempotencyKey: 'other' })
  fixture.clock.jump(1_000)
  await fixture.seen.sender.send({ to: phone, text: 'Your code is 123456.', idempotencyKey: 'c', sensitive: true })
  const thread = await threadOf(fixture, '00260 97 123-4567')
  expect(thread.phone).toBe('+26097•••4567')
  expect(textsOf(thread)[0]).toBe('to: Your code is 123456.')
  expect(textsOf(thread).slice(1).toSorted()).toEqual([
    'from: <b>And tomorrow?</b>',
    'from: Rain?',
    'to: And tomorrow too.',
    'to: It will rain.',
  ])
  expect(JSON.stringify(thread)).not.toContain('260971234567')
  expect(await threadOf(fixture, '+260977777777')).toEqual({ phone: '+26097•••7777', messages: [] })
})

test('its pages have each message once, and a cursor belongs to one phone', async () => {
  await using fixture = await smsFixture({ model: scriptedModel(Array(4).fill('Yes.')) })
  for (let index = 0; index < 4; index += 1) {
    await fixture.write(phone, `No. ${index}`)
    await expect.poll(async () => (await fixture.states()).length).toBe(index + 1)
  }
  const texts: string[] = []
  let cursor: object = {}
  do {
    const page = await threadOf(fixture, phone, { limit: 3, ...cursor })
    texts.push(...textsOf(page))
    cursor = page.next === undefined ? {} : { cursor: page.next }
    if ('cursor' in cursor)
      expect((await threadOf(fixture, '+260977777777', cursor)) as object).toMatchObject({ code: 'cursor_invalid' })
  } while ('cursor' in cursor)
  expect(texts.toSorted()).toEqual([...[0, 1, 2, 3].map(index => `from: No. ${index}`), ...Array(4).fill('to: Yes.')])
})

test('secrets are shown only without a provider, and other callers are rejected', async () => {
  await using fixture = await smsFixture({
    env: {
      SMS_PROVIDER: 'infobip',
      INFOBIP_API_KEY: 'k',
      INFOBIP_BASE_URL: 'http://127.0.0.1:9',
      SMS_FROM: 'Sibyl',
      SMS_INBOUND_SECRET: callSecret,
    },
  })
  await fixture.seen.sender.send({ to: phone, text: 'Your code is 123456.', idempotencyKey: 'c', sensitive: true })
  expect((await threadOf(fixture, phone)).messages[0]).not.toHaveProperty('text')
  const body = JSON.stringify({ phone })
  const headers = { 'content-type': 'application/json' }
  expect((await fixture.oracle.app.request('/sms/thread', { method: 'POST', headers, body })).status).toBe(401)
  for (const given of [undefined, '', 'police', '0971234567', '1'.repeat(50)])
    expect(
      (await fixture.operator('/sms/thread', { method: 'POST', body: JSON.stringify({ phone: given }) })).status,
      given,
    ).toBe(400)
  expect((await fixture.operator(`/sms/thread?phone=${encodeURIComponent(phone)}`)).status).toBe(405)
})
