import type { Host } from '@sibyl/plugin'
import { fakeClock } from '@sibyl/storage/testing'
import { onEachEngine } from '@sibyl/storage/testing/engines'
import { testApp } from '@sibyl/testing'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { samplePlugin } from '../testing/sample-plugin.ts'

const day = 86_400_000

await onEachEngine('the retention of jobs', engine => {
  /** An oracle with a job that is done, one that is cancelled, one that failed and one that waits. */
  const started = async (env: Record<string, string>) => {
    const clock = fakeClock(Date.parse('2026-11-23T10:00:00Z'))
    const made = Promise.withResolvers<Host['jobs']>()
    const plugin = samplePlugin('shop', {
      setup({ jobs }) {
        jobs.define('shop/sell', z.null(), async () => {})
        jobs.define('shop/pay', z.null(), async () => Promise.reject(new Error('the till is closed')), {
          maxAttempts: 1,
        })
        made.resolve(jobs)
        return {}
      },
    })
    const oracle = await testApp({
      plugins: [plugin],
      clock,
      env: { ...env, DATABASE_URL: await engine.emptyDatabase() },
    })
    const jobs = await made.promise
    const later = clock.now() + 1000 * day
    const ids = {
      done: (await jobs.enqueue('shop/sell', null)).id,
      cancelled: (await jobs.enqueue('shop/sell', null, { runAt: later })).id,
      dead: (await jobs.enqueue('shop/pay', null)).id,
      waiting: (await jobs.enqueue('shop/sell', null, { runAt: later })).id,
    }
    await jobs.cancel(ids.cancelled)
    await vi.waitFor(
      async () => {
        for (const [state, id] of Object.entries(ids)) expect(await jobs.get(id)).toMatchObject({ state })
      },
      { interval: 10, timeout: 60_000 },
    )
    /** Returns the states of the jobs that are stored after the retention of a day. */
    const storedAfter = async (days: number) => {
      clock.jump(days * day)
      await oracle.runJob('core/retention')
      const found = await Promise.all(Object.values(ids).map(id => jobs.get(id)))
      return found.flatMap(job => job?.state ?? [])
    }
    return { storedAfter, [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose]() }
  }

  test('deletes ended jobs after a day, and none that failed', async () => {
    await using oracle = await started({})
    expect(await oracle.storedAfter(0.9)).toEqual(['done', 'cancelled', 'dead', 'waiting'])
    expect(await oracle.storedAfter(0.2)).toEqual(['dead', 'waiting'])
    expect(await oracle.storedAfter(900)).toEqual(['dead', 'waiting'])
  })

  test('deletes ended and failed jobs after the days of their variables', async () => {
    await using oracle = await started({ RETENTION_JOBS_DAYS: '7', RETENTION_FAILED_JOBS_DAYS: '30' })
    expect(await oracle.storedAfter(6.9)).toEqual(['done', 'cancelled', 'dead', 'waiting'])
    expect(await oracle.storedAfter(0.2)).toEqual(['dead', 'waiting'])
    expect(await oracle.storedAfter(22.8)).toEqual(['dead', 'waiting'])
    expect(await oracle.storedAfter(0.2)).toEqual(['waiting'])
  })
})
