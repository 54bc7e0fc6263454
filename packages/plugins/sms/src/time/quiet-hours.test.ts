import { expect, test } from 'vitest'
import { preferencesOf, smsDesk } from '../testing/sms-desk.test.support.ts'
import { quietUntil, readQuietHours } from './quiet-hours.ts'

const night = readQuietHours('21:00-07:00')!
const at = (text: string) => Date.parse(text)
const shown = (moment: number | undefined) => (moment === undefined ? undefined : new Date(moment).toISOString())

test.each([
  ['2026-11-22T20:59:59Z', 'UTC', undefined],
  ['2026-11-22T21:00:00Z', 'UTC', '2026-11-23T07:00:00.000Z'],
  ['2026-11-23T06:59:59Z', 'UTC', '2026-11-23T07:00:00.000Z'],
  ['2026-11-23T07:00:00Z', 'UTC', undefined],
  ['2026-11-22T19:30:00Z', 'Africa/Lusaka', '2026-11-23T05:00:00.000Z'],
  ['2026-11-22T18:00:00Z', 'Asia/Kathmandu', '2026-11-23T01:15:00.000Z'],
  // Clocks are turned on at 02:00 (29 March 2026) and back at 03:00 (25 October 2026) in Berlin.
  ['2026-03-28T22:00:00Z', 'Europe/Berlin', '2026-03-29T05:00:00.000Z'],
  ['2026-10-24T22:00:00Z', 'Europe/Berlin', '2026-10-25T06:00:00.000Z'],
])('at %s in %s notices wait until %s', (moment, zone, until) => {
  expect(shown(quietUntil(night, at(moment), zone))).toBe(until)
})

test('hours that end within the hour that a turned clock leaves out or repeats end', () => {
  const short = readQuietHours('01:00-02:30')!
  expect(shown(quietUntil(short, at('2026-03-29T00:30:00Z'), 'Europe/Berlin'))).toBe('2026-03-29T01:00:00.000Z')
  const end = quietUntil(short, at('2026-10-25T00:15:00Z'), 'Europe/Berlin')!
  expect(end).toBeGreaterThan(at('2026-10-25T00:15:00Z'))
  expect(end).toBeLessThanOrEqual(at('2026-10-25T01:30:00Z'))
  for (const text of ['', '21:00', '21-7', '24:00-07:00', '07:00-07:00', '21:60-07:00'])
    expect(readQuietHours(text)).toBeUndefined()
})

test('notices wait in the zone of the person, also where clocks jump; what was asked for just now goes at once', async () => {
  const start = at('2026-11-22T19:30:00Z')
  const known: Record<string, { timeZone?: string }> = {}
  await using desk = await smsDesk({
    start,
    env: { SMS_QUIET_HOURS: '21:00-07:00' },
    plugins: [preferencesOf(known)],
  })
  const { sender, notices, didOf } = desk.seen
  const [early, late] = ['+260971234567', '+15550001234']
  known[didOf(early)] = { timeZone: 'Africa/Lusaka' }
  known[didOf(late)] = { timeZone: 'Not/AZone' }
  for (const [to, key] of [
    [early, 'a'],
    [late, 'b'],
  ] as const)
    await notices.send({ did: didOf(to), to, text: 'News', idempotencyKey: key })
  await expect.poll(async () => (await desk.states()).sort()).toEqual(['held', 'sent'])
  expect(await desk.outbox('?state=held')).toMatchObject([
    { to: '+26097•••4567', heldUntil: '2026-11-23T05:00:00.000Z' },
  ])
  await sender.send({ to: early, text: 'Your code is 1.', idempotencyKey: 'c', sensitive: true })
  await sender.send({ to: early, text: 'Taken in.', idempotencyKey: 'd' })
  await expect.poll(async () => (await desk.states()).filter(state => state === 'sent')).toHaveLength(3)
  // Somebody turns the computer's clock back by a day, and on again.
  desk.clock.jump(-86_400_000)
  desk.clock.jump(86_400_000)
  await desk.clock.advance(at('2026-11-23T04:59:00Z') - desk.clock.now())
  expect(await desk.outbox('?state=held')).toHaveLength(1)
  await desk.clock.advance(3_600_000)
  await expect.poll(desk.states).toEqual(['sent', 'sent', 'sent', 'sent'])
})
