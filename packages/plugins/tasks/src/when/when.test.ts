import { describe, expect, test } from 'vitest'
import { readWhen, type WhenInput, whenInput } from './read-when.ts'
import { nextTimes, readTime, timeInWords } from './schedule.ts'

const parts = { now: Date.parse('2026-11-22T12:00:00Z'), minIntervalMinutes: 15 }
const iso = (times: readonly number[]) => times.map(at => new Date(at).toISOString().slice(0, 16))
const planned = async (when: WhenInput, zone = 'Africa/Lusaka', now = parts.now, count = 3) =>
  iso(await nextTimes(await readWhen(when, zone, { ...parts, now }), now, count))

describe('when a task runs', () => {
  test.each<[WhenInput, string[]]>([
    [{ every: 'day', time: '07:00' }, ['2026-11-23T05:00', '2026-11-24T05:00', '2026-11-25T05:00']],
    [{ every: 'day', time: '7 pm' }, ['2026-11-22T17:00', '2026-11-23T17:00', '2026-11-24T17:00']],
    [{ every: 'weekday', time: '12am' }, ['2026-11-22T22:00', '2026-11-23T22:00', '2026-11-24T22:00']],
    [{ every: 'week', on: 'monday', time: '7.30' }, ['2026-11-23T05:30', '2026-11-30T05:30', '2026-12-07T05:30']],
    [{ every: 'month', dayOfMonth: 31, time: '9' }, ['2026-12-31T07:00', '2027-01-31T07:00', '2027-03-31T07:00']],
    [{ every: 'month', dayOfMonth: 'last', time: '9' }, ['2026-11-30T07:00', '2026-12-31T07:00', '2027-01-31T07:00']],
    [{ every: 'hour', time: '00:15' }, ['2026-11-22T12:15', '2026-11-22T13:15', '2026-11-22T14:15']],
    [{ cron: ' 0  9 29 2 * ' }, ['2028-02-29T07:00', '2032-02-29T07:00', '2036-02-29T07:00']],
    [{ inMinutes: 20 }, ['2026-11-22T12:20']],
    [{ at: '2026-12-01T07:00' }, ['2026-12-01T05:00']],
    [{ at: '2026-12-01 07:00:30+01:00' }, ['2026-12-01T06:00']],
  ])('%j', async (when, expected) => {
    expect(await planned(whenInput.parse(when))).toEqual(expected)
  })

  test('on the days when clocks change, a time that is left out is taken at the jump, and one that comes twice once', async () => {
    const daily: WhenInput = { every: 'day', time: '02:30' }
    const march = Date.parse('2026-03-28T12:00:00Z')
    const october = Date.parse('2026-10-24T12:00:00Z')
    expect(await planned(daily, 'Europe/Berlin', march)).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:30',
      '2026-03-31T00:30',
    ])
    expect(await planned(daily, 'Europe/Berlin', october)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
      '2026-10-27T01:30',
    ])
    expect(await planned(daily, 'Africa/Lusaka', march)).toEqual([
      '2026-03-29T00:30',
      '2026-03-30T00:30',
      '2026-03-31T00:30',
    ])
    const berlin = (text: string) => new Date(readTime(text, 'Europe/Berlin')!).toISOString().slice(0, 16)
    expect(berlin('2026-03-29T02:30')).toBe('2026-03-29T01:00')
    expect(berlin('2026-03-29T03:30')).toBe('2026-03-29T01:30')
    expect(berlin('2026-10-25T02:30')).toBe('2026-10-25T00:30')
    expect(berlin('2026-10-25T03:30')).toBe('2026-10-25T02:30')
    expect(timeInWords(readTime('2026-11-30T07:00', 'Pacific/Apia')!, 'Pacific/Apia')).toBe(
      'Monday 30 November 2026, 07:00',
    )
  })

  test.each<[WhenInput, RegExp]>([
    [{}, /exactly one of/],
    [{ inMinutes: 5, every: 'day', time: '7' }, /exactly one of/],
    [{ every: 'day' }, /time of day is missing/],
    [{ every: 'day', time: '24:30' }, /time of day .* is invalid/],
    [{ every: 'day', time: '13 pm' }, /time of day .* is invalid/],
    [{ every: 'week', time: '7' }, /day of the week is missing/],
    [{ every: 'month', time: '7' }, /day of the month is missing/],
    [{ every: 'day', time: '7', on: 'monday' }, /needs every: 'week'/],
    [{ at: '2026-11-22T13:59' }, /is in the past/],
    [{ at: '2026-02-30T07:00' }, /The time is invalid/],
    [{ at: 'tomorrow' }, /The time is invalid/],
    [{ at: '2028-01-01T07:00' }, /more than a year/],
    [{ cron: '* * * * *' }, /too frequent/],
    [{ cron: '0,5 0 1 1 *' }, /too frequent/],
    [{ cron: '0 0 30 2 *' }, /never|cron pattern/],
    [{ cron: '* * * * * *' }, /five fields/],
    [{ cron: '@daily' }, /five fields/],
    [{ cron: '99 * * * *' }, /cron pattern/],
  ])('rejects %j', async (when, why) => {
    await expect(planned(when)).rejects.toThrow(why)
  })

  test('an unknown time zone is rejected', async () => {
    await expect(planned({ inMinutes: 5 }, 'Mars/Base')).rejects.toThrow("The time zone 'Mars/Base' is unknown")
    await expect(planned({ inMinutes: 5 }, '+05:00')).rejects.toThrow(/The time zone .* is unknown/)
  })
})
