import { expect, test } from 'vitest'
import { LogRing } from './log-ring.ts'

const { signal: never } = new AbortController()

test('keeps the latest lines, and reports how many were overwritten', () => {
  const ring = new LogRing({ maxLines: 3 })
  for (const line of ['a', 'b', 'c', 'd', 'e']) ring.write(line)
  expect(ring.read(0, 10)).toEqual({
    lines: [
      [3, 'c'],
      [4, 'd'],
      [5, 'e'],
    ],
    missed: 2,
  })
  expect(ring.read(3, 1)).toEqual({ lines: [[4, 'd']], missed: 0 })
  expect(ring.read(5, 10)).toEqual({ lines: [], missed: 0 })
})

test('is bounded by the length of its lines too', () => {
  const ring = new LogRing({ maxLines: 100, maxLength: 10 })
  for (const line of ['aaaa', 'bbbb', 'cccc', 'x'.repeat(11)]) ring.write(line)
  expect(ring.read(0, 10)).toEqual({
    lines: [
      [2, 'bbbb'],
      [3, 'cccc'],
    ],
    missed: 1,
  })
})

test('wakes those who wait for the next line, and those who leave', async () => {
  const ring = new LogRing()
  const leaving = new AbortController()
  const waits = [ring.next(0, never), ring.next(0, leaving.signal), ring.next(1, never)]
  ring.write('a')
  await Promise.all(waits.slice(0, 2))
  leaving.abort()
  await ring.next(5, leaving.signal)
  ring.write('b')
  await waits[2]
  expect(ring.last).toBe(2)
})
