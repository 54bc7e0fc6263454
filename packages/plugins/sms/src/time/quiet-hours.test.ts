import { expect, test } from 'vitest'
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
