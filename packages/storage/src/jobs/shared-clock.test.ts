import { afterEach, expect, test, vi } from 'vitest'
import { silentLogger } from '../logging/logger.ts'
import { onEachEngine } from '../testing/each-engine.test.helper.ts'
import { systemClock } from '../time/clock.ts'
import { SharedClock } from './shared-clock.ts'

await onEachEngine('the clock of jobs', engine => {
  afterEach(() => void vi.useRealTimers())

  test('a jump of the computer counts if it is alone, and not if the database provides the time', async () => {
    const storage = await engine.open()
    const clock = new SharedClock(storage, systemClock, silentLogger)
    await clock.measure(storage)
    const before = clock.now()
    expect(Math.abs(before - Date.now())).toBeLessThan(10_000)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    const moved = clock.now() - before
    if (storage.engine === 'sqlite') expect(moved).toBeGreaterThan(3_500_000)
    else expect(moved).toBeLessThan(100_000)
  })

  test('logs a difference to the clock of the database once, and its end', async () => {
    const lines: unknown[] = []
    const log = (text: string, fields?: object) => lines.push([text.includes('again'), fields])
    const storage = await engine.open()
    let aheadMs = -300_000
    const clock = new SharedClock(
      storage,
      { now: () => Date.now() + aheadMs },
      { ...silentLogger, info: log, warn: log },
    )
    for (let read = 0; read < 3; read += 1) await clock.measure(storage)
    const isShared = storage.engine === 'postgres'
    expect(Math.round(clock.offsetMs / 10_000)).toBe(isShared ? -30 : 0)
    aheadMs = 0
    await clock.measure(storage)
    expect(lines).toEqual(
      isShared
        ? [
            [false, { seconds: expect.any(Number) }],
            [true, undefined],
          ]
        : [],
    )
    expect(Math.abs(clock.offsetMs)).toBeLessThan(5_000)
  })
})
