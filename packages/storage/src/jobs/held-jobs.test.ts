import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { onEachEngine } from '../testing/each-engine.test.helper.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import type { JobTables } from './job-tables.ts'
import type { JobCall, Jobs } from './jobs.ts'
import { openJobs } from './open-jobs.ts'

const second = 1_000
const patience = { interval: 10, timeout: 60_000 }

/** Starts a process that holds a job, and kills it. @returns the job's id */
const holdAndKill = async (url: string): Promise<string> => {
  const file = fileURLToPath(new URL('./job-holder.test.helper.ts', import.meta.url))
  const child = spawn(process.execPath, ['--no-warnings', file, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  child.kill('SIGKILL')
  await ended
  return line.replace(/^held /, '')
}

await onEachEngine('a held job', engine => {
  const opened: Jobs[] = []
  afterEach(async () => {
    for (const jobs of opened.splice(0)) await jobs.stop({ graceMs: 0 })
  })

  const open = async ({ url, clock = fakeClock() }: { url?: string; clock?: ReturnType<typeof fakeClock> } = {}) => {
    const storage = await engine.open(url === undefined ? {} : { url })
    const jobs = await openJobs({ storage, clock })
    opened.push(jobs)
    const runs: JobCall[] = []
    jobs.define('shop/pay', z.unknown(), async (_, call) => void runs.push(call), { concurrency: 1 })
    await jobs.start()
    const inState = (id: string | undefined, state: string) =>
      vi.waitFor(async () => expect(await jobs.get(id ?? '')).toMatchObject({ state }), patience)
    return { storage, jobs, clock, runs, inState }
  }

  test('is there with its transaction, and done with the one that completes it', async () => {
    const { storage, jobs, clock, runs } = await open()
    await expect(
      storage.write(async tx => {
        await jobs.hold('shop/pay', 'order', { dedupeKey: 'order', tx })
        throw new Error('no money')
      }),
    ).rejects.toThrow('no money')
    expect((await jobs.counts()).size).toBe(0)

    const job = await storage.write(tx => jobs.hold('shop/pay', 'order', { dedupeKey: 'order', tx }))
    await clock.advance(60 * second)
    expect(await jobs.get(job?.id ?? '')).toMatchObject({ state: 'running', data: 'order' })
    expect(await jobs.hold('shop/pay', 'order', { dedupeKey: 'order' })).toBeUndefined()
    expect(await jobs.enqueue('shop/pay', 'order', { dedupeKey: 'order' })).toEqual({ id: job?.id, created: false })
    await expect(
      storage.write(async tx => {
        await job?.complete(tx)
        throw new Error('no paper')
      }),
    ).rejects.toThrow('no paper')
    await clock.advance(60 * second)
    expect(await jobs.get(job?.id ?? '')).toMatchObject({ state: 'running' })
    expect(await storage.write(async tx => await job?.complete(tx))).toBe(true)
    expect(await jobs.get(job?.id ?? '')).toMatchObject({ state: 'done' })
    expect(await job?.complete()).toBe(false)
    expect(job?.signal.aborted).toBe(false)
    expect(runs).toEqual([])
  })

  test('is run once it is released, with all its tries', async () => {
    const { jobs, runs, inState } = await open()
    const job = await jobs.hold('shop/pay', 'order', { requestId: 'r1' })
    await job?.release()
    await inState(job?.id, 'done')
    expect(runs).toMatchObject([{ jobId: job?.id, attempt: 1, requestId: 'r1' }])
    expect(await job?.complete()).toBe(false)
  })

  test('uses no slot of its kind, and the end of running jobs does not affect it', async () => {
    const { jobs, runs, inState } = await open()
    const held = [await jobs.hold('shop/pay', 1), await jobs.hold('shop/pay', 2)]
    const { id } = await jobs.enqueue('shop/pay', 3)
    await inState(id, 'done')
    expect(runs).toHaveLength(1)
    await jobs.stop()
    expect(held.map(job => job?.signal.aborted)).toEqual([false, false])
    expect(await held[0]?.complete()).toBe(true)
  })

  test('is aborted when it is cancelled', async () => {
    const { jobs } = await open()
    const job = await jobs.hold('shop/pay', 'order')
    expect(await jobs.cancel(job?.id ?? '')).toBe(true)
    expect(job?.signal.reason).toMatchObject({ code: 'job_cancelled' })
    expect(await job?.complete()).toBe(false)
  })

  test('refuses unknown kinds and invalid data', async () => {
    const { jobs } = await open()
    jobs.define('shop/send', z.object({ to: z.string() }), async () => {})
    await expect(jobs.hold('shop/none', 1)).rejects.toMatchObject({ code: 'job_kind_unknown' })
    await expect(jobs.hold('shop/send', { to: 1 })).rejects.toMatchObject({ code: 'job_data_invalid' })
  })

  test('of a process that was killed is run once by another one', async () => {
    const url = await engine.emptyDatabase()
    const id = await holdAndKill(url)
    if (engine.name === 'postgres') {
      const early = await open({ url, clock: fakeClock(Date.now()) })
      await early.clock.advance(second)
      expect(early.runs).toEqual([])
      await early.jobs.stop()
    }
    const benches = [await open({ url, clock: fakeClock(Date.now() + 60 * second) })]
    if (engine.name === 'postgres') benches.push(await open({ url, clock: fakeClock(Date.now() + 60 * second) }))
    await benches[0]?.inState(id, 'done')
    for (const { clock } of benches) await clock.advance(60 * second)
    expect(benches.flatMap(({ runs }) => runs)).toMatchObject([{ jobId: id, attempt: 2 }])
  })

  test.runIf(engine.name === 'postgres')('stays with a process that is alive, and is lost with its lease', async () => {
    const url = await engine.emptyDatabase()
    const first = await open({ url })
    const other = await open({ url, clock: fakeClock(first.clock.now()) })
    const job = await first.jobs.hold('shop/pay', 'order')
    const lease = () => first.storage.for<JobTables>().read.selectFrom('sibyl_job').select('lease_until').execute()
    for (let renewals = 0; renewals < 8; renewals++) {
      await first.clock.advance(10 * second)
      const until = first.clock.now() + 30 * second
      await vi.waitFor(async () => expect(await lease()).toEqual([{ lease_until: until }]), patience)
      await other.clock.advance(10 * second)
      await other.inState(job?.id, 'running')
    }
    expect(other.runs).toEqual([])
    await other.clock.advance(41 * second)
    await other.inState(job?.id, 'done')
    expect(other.runs).toHaveLength(1)
    await first.clock.advance(10 * second)
    await vi.waitFor(() => expect(job?.signal.reason).toMatchObject({ code: 'job_lease_lost' }), patience)
    expect(await job?.complete()).toBe(false)
  })
})
