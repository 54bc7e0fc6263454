import { expect, test } from 'vitest'
import { retryAfterMs } from './with-retries.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const read = (value: string | undefined) => retryAfterMs({ 'retry-after': value }, now)

test.each([
  ['0', 0],
  ['7', 7_000],
  [' 7 ', 7_000],
  ['0.5', 500],
  ['1000000000000', 1e15],
  ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
  ['Saturday, 21-Nov-26 12:00:30 GMT', 30_000],
  ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ['Fri, 31 Dec 9999 23:59:59 GMT', Date.parse('9999-12-31T23:59:59Z') - now],
])('%s is read', (value, ms) => {
  expect(read(value)).toBe(ms)
})

test.each([
  undefined,
  '',
  '-5',
  '1e9',
  '0x10',
  'Infinity',
  'NaN',
  'soon',
  '7 s',
  'Sat, 99 Nov 2026 12:00:30 GMT',
  '21 Nov 2026',
  `${'9'.repeat(500)}`,
  ' '.repeat(10_000),
])('%j says nothing', value => {
  expect(read(value)).toBeUndefined()
})

test('milliseconds count before seconds, where they can be read', () => {
  expect(retryAfterMs({ 'retry-after-ms': '250', 'retry-after': '7' }, now)).toBe(250)
  expect(retryAfterMs({ 'retry-after-ms': '-1', 'retry-after': '7' }, now)).toBe(7_000)
})
