import { expect, test } from 'vitest'
import { EvenClock } from './even-clock.ts'

const minute = 60_000

/** Creates an adjustable clock, and a stopwatch. */
const moved = () => {
  let wall = 1_000_000
  let passed = 0
  const jumps: number[] = []
  const clock = new EvenClock(
    () => wall,
    () => passed,
    seconds => jumps.push(seconds),
  )
  return {
    jumps,
    pass(ms: number) {
      wall += ms
      passed += ms
      return clock.evenFor()
    },
    jump: (ms: number) => (wall += ms),
  }
}

test('counts from its start while clock and stopwatch agree', () => {
  const { pass } = moved()
  expect([pass(minute), pass(minute), pass(10 * minute)]).toEqual([minute, 2 * minute, 12 * minute])
})

test.each([60, -60, 1440, -1440])('a jump of %i minutes restarts the count, and so does the jump back', minutes => {
  const { pass, jump, jumps } = moved()
  pass(minute)
  jump(minutes * minute)
  expect([pass(minute), pass(minute)]).toEqual([0, minute])
  jump(-minutes * minute)
  expect([pass(minute), pass(minute)]).toEqual([0, minute])
  expect(jumps).toEqual([60 * minutes, -60 * minutes])
})

test('a clock that is adjusted gradually is even', () => {
  const { pass, jump } = moved()
  for (let step = 0; step < 60; step += 1) {
    jump(step % 2 === 0 ? 30 : -25)
    pass(minute)
  }
  expect(pass(minute)).toBe(61 * minute)
})
