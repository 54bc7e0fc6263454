import { expect, test } from 'vitest'
import { EvenClock } from './even-clock.ts'

const minute = 60_000

/** A clock that can be set, and a stopwatch that cannot. */
const moved = () => {
  let wall = 1_000_000
  let passed = 0
  const clock = new EvenClock(
    () => wall,
    () => passed,
  )
  return {
    pass(ms: number) {
      wall += ms
      passed += ms
      return clock.evenFor()
    },
    jump: (ms: number) => (wall += ms),
  }
}

test('it counts from its start while the clock agrees with the stopwatch', () => {
  const { pass } = moved()
  expect([pass(minute), pass(minute), pass(10 * minute)]).toEqual([minute, 2 * minute, 12 * minute])
})

test.each([60, -60, 1440, -1440])('a jump of %i minutes begins the count anew, and so does the one back', minutes => {
  const { pass, jump } = moved()
  pass(minute)
  jump(minutes * minute)
  expect([pass(minute), pass(minute)]).toEqual([0, minute])
  jump(-minutes * minute)
  expect([pass(minute), pass(minute)]).toEqual([0, minute])
})

test('a clock that is put right little by little is even', () => {
  const { pass, jump } = moved()
  for (let step = 0; step < 60; step += 1) {
    jump(step % 2 === 0 ? 30 : -25)
    pass(minute)
  }
  expect(pass(minute)).toBe(61 * minute)
})
