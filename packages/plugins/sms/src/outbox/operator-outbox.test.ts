import { afterAll, expect, test } from 'vitest'
import { smsFixture } from '../testing/sms-fixture.test.support.ts'
import { startProvider } from '../testing/start-provider.test.support.ts'

const provider = await startProvider()
afterAll(() => provider[Symbol.asyncDispose]())

test('the operator sees SMS that failed, with the reason, and sends them again', async () => {
  await using fixture = await smsFixture({ env: provider.env.africastalking })
  const { operator, clock, seen } = fixture
  const outbox = async () => {
    const { outboxes } = await (await operator('/operator/outboxes')).json()
    return outboxes.find(({ name }: { name: string }) => name === 'sms/messages')
  }
  const retry = async () => {
    const body = JSON.stringify({ name: 'sms/messages' })
    return (await operator('/operator/outboxes/retry', { method: 'POST', body })).json()
  }
  const none = { name: 'sms/messages', pending: 0, retrying: 0, dead: 0, ofPlugin: true }
  expect(await outbox()).toEqual(none)
  await provider.report({ modes: ['400', '401'] })
  await seen.sender.send({ to: '+260971234567', text: 'The stove works.', idempotencyKey: 'one' })
  await expect.poll(outbox).toMatchObject({ dead: 1, reason: expect.stringContaining('answered 400') })
  await seen.sender.send({ to: '+260971234567', text: 'Your code is 123456.', idempotencyKey: 'two', sensitive: true })
  await expect.poll(outbox).toMatchObject({ pending: 1, retrying: 1, dead: 1 })
  expect(JSON.stringify(await outbox())).not.toMatch(/260971234567|123456|stove/)
  expect(await retry()).toEqual({ retried: 1, more: false })
  await clock.advance(31_000)
  await expect.poll(outbox).toEqual(none)
  expect((await fixture.states()).toSorted()).toEqual(['sent', 'sent'])
  expect(await retry()).toEqual({ retried: 0, more: false })
})

test('an SMS that failed days ago is no longer sent again', async () => {
  await using fixture = await smsFixture({ env: provider.env.africastalking })
  await provider.report({ modes: ['400'] })
  await fixture.seen.sender.send({ to: '+260971234567', text: 'The stove works.', idempotencyKey: 'one' })
  await expect.poll(fixture.states).toEqual(['failed'])
  fixture.clock.jump(3 * 86_400_000)
  const { outboxes } = await (await fixture.operator('/operator/outboxes')).json()
  expect(outboxes).toContainEqual(expect.objectContaining({ name: 'sms/messages', dead: 0 }))
})
