import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { onEachEngine } from '../testing/each-engine.test.helper.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { type OpenedJobs, openJobs } from './open-jobs.ts'

await onEachEngine('a job that is run now', engine => {
  const started: OpenedJobs[] = []
  afterEach(async () => {
    for (const jobs of started.splice(0)) await jobs.stop({ graceMs: 0 })
  })

  const open = async (run: (data: { n: number }) => Promise<void>) => {
    const clock = fakeClock()
    const jobs = await openJobs({ storage: await engine.open(), clock })
    started.push(jobs)
    jobs.define('a/b', z.object({ n: z.number() }), run)
    await jobs.start()
    return { jobs, clock }
  }

  test('is a new one with data, and has ended then', async () => {
    const ran: number[] = []
    const { jobs } = await open(async ({ n }) => void ran.push(n))
    await jobs.runNow('a/b', { n: 1 })
    await jobs.runNow('a/b', { n: 2 })
    expect(ran).toEqual([1, 2])
    await expect(jobs.runNow('a/b', { n: 'x' })).rejects.toMatchObject({ code: 'job_data_invalid' })
    await expect(jobs.runNow('a/c')).rejects.toMatchObject({ code: 'job_kind_unknown' })
  })

  test('is each that waits, once, though it is due later', async () => {
    const ran: number[] = []
    const { jobs, clock } = await open(async ({ n }) => void ran.push(n))
    await jobs.enqueue('a/b', { n: 1 }, { runAt: clock.now() + 60_000 })
    await jobs.enqueue('a/b', { n: 2 }, { runAt: clock.now() + 30_000 })
    await jobs.runNow('a/b')
    expect(ran.toSorted()).toEqual([1, 2])
    await expect(jobs.runNow('a/b')).rejects.toThrow("No job of kind 'a/b' is waiting")
  })

  test('is the one of a schedule, as often as it is wanted', async () => {
    const ran: number[] = []
    const { jobs } = await open(async ({ n }) => void ran.push(n))
    await jobs.schedule('daily', '0 6 * * *', 'UTC', 'a/b', { n: 7 })
    await jobs.runNow('a/b')
    await jobs.runNow('a/b')
    expect(ran).toEqual([7, 7])
  })

  test('rejects with its failure, and is not tried again', async () => {
    let tries = 0
    const { jobs } = await open(async () => {
      tries += 1
      throw new Error('no ink')
    })
    await expect(jobs.runNow('a/b', { n: 1 })).rejects.toThrow("The job 'a/b' failed: Error: no ink")
    await expect(jobs.runNow('a/b')).rejects.toThrow('No job of kind')
    expect(tries).toBe(1)
  })
})
