import { expect, test } from 'vitest'
import { z } from 'zod'
import { onEachEngine } from '../testing/each-engine.test.helper.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { JobLeases } from './job-leases.ts'
import type { JobTables } from './job-tables.ts'
import { openJobs } from './open-jobs.ts'
import { backOffDelay, createTryEnds, type TryEnds } from './try-ends.ts'

const backOff = { backOffMs: 1_000, maxBackOffMs: 60_000 }

test.each([
  [1, 0, 1_000],
  [1, 1, 1_250],
  [2, 0, 2_000],
  [6, 0, 32_000],
  [7, 0, 60_000],
  [1_000, 1, 75_000],
])('waits after try %i, with chance %d, for %i ms', (attempt, chance, expected) => {
  expect(backOffDelay(backOff, attempt, chance)).toBe(expected)
})

await onEachEngine('a job that looks abandoned', engine => {
  test('is reported as failed once, and not if its holder renewed the lease meanwhile', async () => {
    const storage = await engine.open()
    const clock = fakeClock()
    const jobs = await openJobs({ storage, clock })
    jobs.define('shop/pay', z.string(), async () => {}, { maxAttempts: 1 })
    const held = await jobs.hold('shop/pay', 'order')
    const logged: string[] = []
    const logger = { info() {}, debug() {}, warn() {}, error: (text: string) => void logged.push(text) }
    const ends = createTryEnds(new JobLeases(storage.for<JobTables>()), clock, logger, text => text)
    const [row] = await storage.for<JobTables>().read.selectFrom('sibyl_job').selectAll().execute()
    const kind = { ...backOff, maxAttempts: 1 } as Parameters<TryEnds['abandoned']>[1]
    await ends.abandoned({ ...row!, lease_until: row!.lease_until! - 1 }, kind, clock.now())
    expect([logged, (await jobs.get(held!.id))?.state]).toEqual([[], 'running'])
    await ends.abandoned(row!, kind, clock.now())
    await ends.abandoned(row!, kind, clock.now())
    expect([logged, (await jobs.get(held!.id))?.state]).toEqual([['a job failed permanently'], 'dead'])
    await jobs.stop({ graceMs: 0 })
  })
})
