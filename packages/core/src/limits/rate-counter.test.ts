import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { MemoryCounter } from './rate-counter.ts'

const address = (text: string, wide = text) => ({ key: `address:${text}`, wide })

/** Creates a clock that advances on request only. */
const standing = () => {
  let now = 1_000
  return { now: () => now, pass: (ms: number) => (now += ms) }
}

describe('in-memory counts of one process', () => {
  test('allow exactly the limit, and start a new window a minute after the first request', () => {
    const clock = standing()
    const counter = new MemoryCounter(clock.now)
    const verdicts = Array.from({ length: 5 }, () => counter.take(address('a'), 3))
    expect(verdicts.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
      [false, 0],
    ])
    clock.pass(59_999)
    expect(counter.take(address('a'), 3)).toMatchObject({ allowed: false, endsInMs: 1 })
    clock.pass(1)
    expect(counter.take(address('a'), 3)).toMatchObject({ allowed: true, remaining: 2, endsInMs: 60_000 })
  })

  test('a new window never lasts longer than a minute, however the clock is rounded', () => {
    for (let now = 10_828.123; now < 11_800; now += 1.37) {
      expect(new MemoryCounter(() => now).take(address('a'), 1).endsInMs).toBeLessThanOrEqual(60_000)
    }
  })

  test('keep their windows when the system clock jumps', () => {
    const systemTime = vi.spyOn(Date, 'now').mockReturnValue(0)
    onTestFinished(() => systemTime.mockRestore())
    const counter = new MemoryCounter()
    expect(counter.take(address('a'), 1).allowed).toBe(true)
    systemTime.mockReturnValue(3_600_000)
    expect(counter.take(address('a'), 1)).toMatchObject({ allowed: false })
  })

  test('are separate per address', () => {
    const counter = new MemoryCounter(() => 0)
    expect(counter.take(address('a'), 1).allowed).toBe(true)
    expect(counter.take(address('a'), 1).allowed).toBe(false)
    expect(counter.take(address('b'), 1).allowed).toBe(true)
  })

  test('grow to their bound in a flood of new addresses, keep every count, and count the flood', () => {
    const clock = standing()
    const counter = new MemoryCounter(clock.now, 100)
    for (let used = 0; used < 10; used += 1) counter.take(address('busy'), 10)
    let allowed = 0
    for (let index = 0; index < 1_000_000; index += 1) {
      if (counter.take(address(`fresh-${index}`, 'one network'), 10).allowed) allowed += 1
    }
    expect(counter.size).toBe(101)
    expect(allowed).toBe(99 + 10)
    expect(counter.take(address('busy'), 10).allowed).toBe(false)
    expect(counter.take(address('elsewhere', 'another network'), 10).allowed).toBe(true)
    clock.pass(60_000)
    expect(counter.take(address('busy'), 10).allowed).toBe(true)
    counter.take(address('new'), 10)
    expect(counter.size).toBe(2)
  })
})
