import { afterEach, expect, test, vi } from 'vitest'
import { onEachEngine } from '../testing/each-engine.test.helper.ts'
import { systemClock } from '../time/clock.ts'
import { SharedClock } from './shared-clock.ts'

await onEachEngine('the clock of jobs', engine => {
  afterEach(() => void vi.useRealTimers())

  test('a jump of the computer counts if it is alone, and not if the database provides the time', async () => {
    const storage = await engine.open()
    const clock = new SharedClock(storage, systemClock)
    const stop = await clock.follow(storage)
    const before = clock.now()
    expect(Math.abs(before - Date.now())).toBeLessThan(10_000)
    stop()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    const moved = clock.now() - before
    if (storage.engine === 'sqlite') expect(moved).toBeGreaterThan(3_500_000)
    else expect(moved).toBeLessThan(100_000)
  })
})
