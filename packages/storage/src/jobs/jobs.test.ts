import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Storage } from '../contract/storage.ts'
import type { StorageLogger } from '../logging/logger.ts'
import { sql } from '../sql/kysely.ts'
import { onEachEngine } from '../testing/each-engine.test.helper.ts'
import { type FakeClock, fakeClock } from '../testing/fake-clock.ts'
import type { JobCall, JobKindOptions, Jobs } from './jobs.ts'
import { type OpenedJobs, openJobs } from './open-jobs.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** How a test waits for what a busy machine may take long to do. */
const PATIENCE = { interval: 10, timeout: 60_000 }

/** Jobs whose runs a test sees and steers. */
interface Bench {
  readonly jobs: OpenedJobs
  readonly clock: FakeClock
  readonly storage: Storage
  /** The data of the runs, in the order of their starts. */
  readonly runs: { readonly data: unknown; readonly call: JobCall; readonly at: number }[]
  readonly log: { readonly level: string; readonly message: string; readonly fields: unknown }[]
  define(kind: string, run?: (call: JobCall) => Promise<void>, options?: JobKindOptions): void
  /** Waits until so many runs have begun. */
  begun(count: number): Promise<void>
  /** Waits until a job is in a state. */
  inState(id: string, state: string): Promise<void>
}

await onEachEngine('jobs', engine => {
  const started: Jobs[] = []
  afterEach(async () => {
    for (const jobs of started.splice(0)) await jobs.stop({ graceMs: 0 })
  })

  const bench = async (
    options: { url?: string; clock?: FakeClock; redact?: (text: string) => string } = {},
  ): Promise<Bench> => {
    const clock = options.clock ?? fakeClock()
    const log: Bench['log'][number][] = []
    const note =
      (level: string) =>
      (message: string, fields?: unknown): void => {
        log.push({ level, message, fields })
      }
    const logger: StorageLogger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }
    const storage = await engine.open(options.url === undefined ? {} : { url: options.url })
    const { redact } = options
    const jobs = await openJobs({ storage, clock, logger, ...(redact ? { redact } : {}) })
    started.push(jobs)
    const runs: Bench['runs'][number][] = []
    return {
      jobs,
      clock,
      storage,
      runs,
      log,
      define: (kind, run, kindOptions) =>
        jobs.define(
          kind,
          z.unknown(),
          async (data, call) => {
            runs.push({ data, call, at: clock.now() })
            await run?.(call)
          },
          kindOptions,
        ),
      begun: count => vi.waitFor(() => expect(runs.length).toBeGreaterThanOrEqual(count), PATIENCE),
      inState: (id, state) => vi.waitFor(async () => expect(await jobs.get(id)).toMatchObject({ state }), PATIENCE),
    }
  }

  /** Resolves when the call's signal aborts. */
  const aborted = (call: JobCall): Promise<void> =>
    new Promise(resume => call.signal.addEventListener('abort', () => resume()))
  const untilAborted = async (call: JobCall): Promise<void> => {
    await aborted(call)
    throw call.signal.reason
  }

  test('runs a job with its data and keeps it as done', async () => {
    const { jobs, define, begun, inState, runs } = await bench()
    define('greet')
    await jobs.start()
    const { id, created } = await jobs.enqueue('greet', { name: 'Ada' })
    expect(created).toBe(true)
    await begun(1)
    expect(runs[0]).toMatchObject({
      data: { name: 'Ada' },
      call: { jobId: id, attempt: 1, idempotencyKey: `job:${id}` },
    })
    await inState(id, 'done')
  })

  test('runs what was taken in before the start', async () => {
    const { jobs, define, begun } = await bench()
    define('greet')
    await jobs.enqueue('greet', null)
    await jobs.start()
    await begun(1)
  })

  test('runs a job at its time, not before', async () => {
    const { jobs, clock, define, begun, runs } = await bench()
    define('later')
    await jobs.start()
    const runAt = clock.now() + 90 * SECOND
    await jobs.enqueue('later', 1, { runAt })
    await jobs.enqueue('later', 2, { runAt: new Date(runAt + 5) })
    await clock.advance(90 * SECOND - 1)
    expect(runs).toEqual([])
    await clock.advance(1)
    await begun(1)
    expect(runs[0]).toMatchObject({ data: 1, at: runAt })
    await clock.advance(5)
    await begun(2)
  })

  test('takes a job of the same kind and key in once, until it is over', async () => {
    const { jobs, define, begun, inState } = await bench()
    const go = Promise.withResolvers<void>()
    define('once', () => go.promise)
    define('other')
    const first = await jobs.enqueue('once', 1, { dedupeKey: 'k' })
    expect(await jobs.enqueue('once', 2, { dedupeKey: 'k' })).toEqual({ id: first.id, created: false })
    expect(await jobs.enqueue('once', 2, { dedupeKey: 'other' })).toMatchObject({ created: true })
    expect(await jobs.enqueue('other', 2, { dedupeKey: 'k' })).toMatchObject({ created: true })
    await jobs.start()
    await begun(2)
    expect(await jobs.enqueue('once', 3, { dedupeKey: 'k' })).toEqual({ id: first.id, created: false })
    go.resolve()
    await inState(first.id, 'done')
    expect(await jobs.enqueue('once', 4, { dedupeKey: 'k' })).toMatchObject({ created: true })
  })

  test('runs again if it was enqueued again under its key', async () => {
    const { jobs, define, begun, inState, runs } = await bench()
    const first = Promise.withResolvers<void>()
    define('again', () => (runs.length === 1 ? first.promise : Promise.resolve()))
    await jobs.start()
    const { id } = await jobs.enqueue('again', 1, { dedupeKey: 'k', again: true })
    await begun(1)
    for (let count = 0; count < 3; count++) {
      expect(await jobs.enqueue('again', 2, { dedupeKey: 'k', again: true })).toEqual({ id, created: false })
    }
    await jobs.enqueue('again', 2, { dedupeKey: 'other' })
    await begun(2)
    first.resolve()
    await begun(3)
    await inState(id, 'done')
    expect(runs.map(({ data, call }) => [data, call.attempt])).toEqual([
      [1, 1],
      [2, 1],
      [1, 1],
    ])
  })

  test('a dead job runs again if it was enqueued again under its key', async () => {
    const { jobs, define, begun, inState, runs } = await bench()
    const first = Promise.withResolvers<void>()
    define('again', () => (runs.length === 1 ? first.promise : Promise.resolve()), { maxAttempts: 1 })
    await jobs.start()
    const { id } = await jobs.enqueue('again', 1, { dedupeKey: 'k' })
    await begun(1)
    await jobs.enqueue('again', 1, { dedupeKey: 'k', again: true })
    first.reject(new Error('no'))
    await begun(2)
    await inState(id, 'done')
  })

  test('a waiting job that is taken in again runs once, after the transaction has committed', async () => {
    const { jobs, storage, define, begun, inState, clock, runs } = await bench()
    define('again')
    await jobs.start()
    const { id } = await jobs.enqueue('again', 1, { dedupeKey: 'k', runAt: clock.now() + MINUTE })
    const written = await storage.write(async tx => {
      await jobs.enqueue('again', 2, { dedupeKey: 'k', again: true, tx })
      return runs.length
    })
    expect(written).toBe(0)
    await clock.advance(MINUTE)
    await begun(1)
    await inState(id, 'done')
    expect(runs).toHaveLength(1)
  })

  test('takes a key in once when many ask at the same time', async () => {
    const { jobs, define } = await bench()
    define('once')
    const results = await Promise.all(Array.from({ length: 20 }, () => jobs.enqueue('once', 1, { dedupeKey: 'k' })))
    expect(results.filter(result => result.created)).toHaveLength(1)
    expect(new Set(results.map(result => result.id)).size).toBe(1)
  })

  test('takes a job in with the transaction that it was given', async () => {
    const { jobs, storage, define, begun, runs } = await bench()
    define('tied')
    await jobs.start()
    const failing = storage.write(async tx => {
      await jobs.enqueue('tied', 'lost', { tx })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    const { id } = await storage.write(tx => jobs.enqueue('tied', 'kept', { tx }))
    await begun(1)
    expect(runs).toMatchObject([{ data: 'kept', call: { jobId: id } }])
  })

  test('runs jobs outside the asynchronous context of who took them in', async () => {
    const { jobs, define, begun } = await bench()
    const context = new AsyncLocalStorage<string>()
    let seen: string | undefined = 'nothing yet'
    define('greet', async () => {
      seen = context.getStore()
    })
    await jobs.start()
    await context.run('a request', () => jobs.enqueue('greet', null))
    await begun(1)
    expect(seen).toBe(undefined)
  })

  test('retries a failed job with growing pauses, then keeps it as dead', async () => {
    const { jobs, clock, define, begun, inState, runs, log } = await bench()
    define('fail', async ({ attempt }) => Promise.reject(new Error(`no ${attempt}`)), {
      maxAttempts: 3,
      backOffMs: 1000,
    })
    await jobs.start()
    const { id } = await jobs.enqueue('fail', { a: 1 })
    await inState(id, 'waiting')
    for (const attempt of [2, 3]) {
      await vi.waitFor(async () => expect((await jobs.get(id))?.lastError).toContain(`no ${attempt - 1}`), PATIENCE)
      const { runAt } = (await jobs.get(id))!
      const pause = runAt - clock.now()
      expect(pause).toBeGreaterThanOrEqual(1000 * 2 ** (attempt - 2))
      expect(pause).toBeLessThanOrEqual(1250 * 2 ** (attempt - 2))
      await clock.advance(pause)
      await begun(attempt)
    }
    await inState(id, 'dead')
    expect(runs.map(run => run.call.attempt)).toEqual([1, 2, 3])
    expect(new Set(runs.map(run => run.call.idempotencyKey)).size).toBe(1)
    expect(await jobs.dead({ kind: 'fail' })).toMatchObject([
      { id, kind: 'fail', state: 'dead', attempt: 3, data: { a: 1 }, lastError: 'Error: no 3' },
    ])
    expect(await jobs.dead({ kind: 'other' })).toEqual([])
    expect(log.filter(line => line.level === 'error')).toMatchObject([{ fields: { id, kind: 'fail' } }])
  })

  test('keeps no secret of a failure, whole or truncated', async () => {
    const { jobs, define, inState, log } = await bench({ redact: text => text.replaceAll('hunter2', '[redacted]') })
    const texts = ['hunter2', `${'x'.repeat(488)}hunter2`]
    define('fail', async ({ jobId }) => Promise.reject(new Error(texts[ids.indexOf(jobId)])), { maxAttempts: 1 })
    const ids = [(await jobs.enqueue('fail', {})).id, (await jobs.enqueue('fail', {})).id]
    await jobs.start()
    for (const id of ids) await inState(id, 'dead')
    const kept = [...(await jobs.dead()).map(({ lastError }) => lastError), ...log.map(line => JSON.stringify(line))]
    expect(kept.join('\n')).toContain('Error: [redacted]')
    expect(kept.join('\n')).not.toContain('hunt')
  })

  test('keeps the code of a failure, unless the code is a secret', async () => {
    const { jobs, define, inState } = await bench({ redact: text => text.replaceAll('hunter2', '[redacted]') })
    const codes = ['ECONNREFUSED', 'hunter2', 'xhunter2']
    define(
      'fail',
      async ({ jobId }) => Promise.reject(Object.assign(new Error('no'), { code: codes[ids.indexOf(jobId)] })),
      { maxAttempts: 1 },
    )
    const ids: string[] = []
    for (const _ of codes) ids.push((await jobs.enqueue('fail', {})).id)
    await jobs.start()
    for (const id of ids) await inState(id, 'dead')
    const listed = new Map((await jobs.list({ state: 'dead', limit: 10 })).map(job => [job.id, job.lastErrorCode]))
    expect(ids.map(id => listed.get(id))).toEqual(['ECONNREFUSED', undefined, undefined])
  })

  test('resets the attempts of a dead job', async () => {
    const { jobs, define, begun, inState, runs } = await bench()
    let broken = true
    define('mend', async () => (broken ? Promise.reject(new Error('no')) : undefined), { maxAttempts: 1 })
    await jobs.start()
    const { id } = await jobs.enqueue('mend', null, { dedupeKey: 'k' })
    await inState(id, 'dead')
    broken = false
    expect(await jobs.retry(id)).toBe(true)
    await begun(2)
    await inState(id, 'done')
    expect(runs[1]?.call.attempt).toBe(1)
    expect(await jobs.retry(id)).toBe(false)
  })

  test('resets the attempts of many dead jobs, and cancels those whose key another one has', async () => {
    const { jobs, define, inState, clock } = await bench()
    define('key', async () => Promise.reject(new Error('no')), { maxAttempts: 1 })
    define('other', async () => Promise.reject(new Error('no')), { maxAttempts: 1 })
    await jobs.start()
    const failed = async (kind: string, key?: string) => {
      const { id } = await jobs.enqueue(kind, null, key === undefined ? {} : { dedupeKey: key })
      await inState(id, 'dead')
      clock.jump(1_000)
      return id
    }
    const ids = [await failed('key', 'k'), await failed('key', 'k'), await failed('key', 'open'), await failed('key')]
    const foreign = await failed('other')
    const { id: open } = await jobs.enqueue('key', null, { dedupeKey: 'open', runAt: clock.now() + HOUR })
    await jobs.stop({ graceMs: 0 })
    expect(await jobs.retryMany('key', 3)).toEqual({ revived: 1, cancelled: 2 })
    expect(await jobs.retryMany('key', 3)).toEqual({ revived: 1, cancelled: 0 })
    expect(await jobs.retryMany('key', 3)).toEqual({ revived: 0, cancelled: 0 })
    const states = await Promise.all([...ids, foreign, open].map(async id => (await jobs.get(id))?.state))
    expect(states).toEqual(['waiting', 'cancelled', 'cancelled', 'waiting', 'dead', 'waiting'])
  })

  test('does not revive a dead job whose key another one has', async () => {
    const { jobs, define, inState, clock } = await bench()
    define('key', async () => Promise.reject(new Error('no')), { maxAttempts: 1 })
    await jobs.start()
    const { id } = await jobs.enqueue('key', null, { dedupeKey: 'k' })
    await inState(id, 'dead')
    await jobs.enqueue('key', null, { dedupeKey: 'k', runAt: clock.now() + HOUR })
    expect(await jobs.retry(id)).toBe(false)
  })

  test('cancels a job that waits', async () => {
    const { jobs, clock, define, runs } = await bench()
    define('never')
    await jobs.start()
    const { id } = await jobs.enqueue('never', null, { runAt: clock.now() + MINUTE })
    expect(await jobs.cancel(id)).toBe(true)
    expect(await jobs.cancel(id)).toBe(false)
    expect(await jobs.get(id)).toMatchObject({ state: 'cancelled' })
    await clock.advance(HOUR)
    expect(runs).toEqual([])
  })

  test('aborts a running job that is cancelled, and does not try it again', async () => {
    const { jobs, clock, define, begun, runs } = await bench()
    define('long', untilAborted)
    await jobs.start()
    const { id } = await jobs.enqueue('long', null)
    await begun(1)
    const signalled = aborted(runs[0]!.call)
    expect(await jobs.cancel(id)).toBe(true)
    await signalled
    expect(runs[0]!.call.signal.reason).toMatchObject({ code: 'job_cancelled' })
    await clock.advance(HOUR)
    expect(await jobs.get(id)).toMatchObject({ state: 'cancelled' })
    expect(runs).toHaveLength(1)
  })

  test('limits concurrent jobs of a kind', async () => {
    const { jobs, define, begun, inState, runs } = await bench()
    const gates: PromiseWithResolvers<void>[] = []
    const gated = () => {
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      return gate.promise
    }
    define('narrow', gated, { concurrency: 2 })
    define('free')
    await jobs.start()
    const ids: string[] = []
    for (const data of [1, 2, 3]) ids.push((await jobs.enqueue('narrow', data)).id)
    const { id } = await jobs.enqueue('free', 'free')
    await inState(id, 'done')
    expect(runs.map(run => run.data)).toEqual([1, 2, 'free'])
    gates[0]?.resolve()
    await begun(4)
    expect(runs[3]?.data).toBe(3)
    for (const gate of gates) gate.resolve()
    for (const narrow of ids) await inState(narrow, 'done')
  })

  test('continues with due jobs while most jobs of the kind run long', async () => {
    const { jobs, clock, define, runs, begun } = await bench()
    const stays = new Promise<void>(() => {})
    define('mixed', async () => (runs.length <= 7 ? stays : undefined), { concurrency: 8 })
    for (let place = 0; place < 12; place += 1) await jobs.enqueue('mixed', place, { runAt: clock.now() + place })
    await clock.advance(100)
    await jobs.start()
    await begun(8)
    await vi.waitFor(async () => {
      await clock.advance(20)
      expect(runs.map(({ data }) => data)).toEqual(Array.from({ length: 12 }, (_, place) => place))
    }, PATIENCE)
  })

  test('ends a try that takes too long', async () => {
    const { jobs, clock, define, begun, inState, runs } = await bench()
    define('slow', untilAborted, { timeLimitMs: MINUTE, maxAttempts: 1 })
    await jobs.start()
    const { id } = await jobs.enqueue('slow', null)
    await begun(1)
    const signalled = aborted(runs[0]!.call)
    await clock.advance(MINUTE)
    await signalled
    await inState(id, 'dead')
    expect(await jobs.get(id)).toMatchObject({ lastError: expect.stringContaining('60000 ms') })
  })

  test('gives up a job that ignores its signal', async () => {
    const { jobs, clock, define, begun, inState } = await bench()
    define('deaf', () => new Promise(() => {}), { timeLimitMs: MINUTE, maxAttempts: 1 })
    await jobs.start()
    const { id } = await jobs.enqueue('deaf', null)
    await begun(1)
    await clock.advance(MINUTE)
    await clock.advance(5 * SECOND)
    await inState(id, 'dead')
  })

  test('keeps the lease of a job that runs for long', async () => {
    const { jobs, clock, define, begun, inState, runs } = await bench()
    const go = Promise.withResolvers<void>()
    define('long', () => go.promise)
    await jobs.start()
    const { id } = await jobs.enqueue('long', null)
    await begun(1)
    for (let renewals = 0; renewals < 8; renewals++) {
      await clock.advance(10 * SECOND)
      await jobs.enqueue('long', renewals, { runAt: clock.now() + HOUR })
    }
    expect(runs).toHaveLength(1)
    expect(runs[0]?.call.signal.aborted).toBe(false)
    go.resolve()
    await inState(id, 'done')
  })

  test('runs again what a process left behind that ended without a word', async () => {
    const url = await engine.emptyDatabase()
    const clock = fakeClock()
    const first = await bench({ url, clock })
    first.define('work', () => new Promise(() => {}), { maxAttempts: 2 })
    await first.jobs.start()
    const { id } = await first.jobs.enqueue('work', 'data')
    await first.begun(1)
    await first.storage.close()

    const second = await bench({ url, clock })
    second.define('work', undefined, { maxAttempts: 2 })
    await second.jobs.start()
    await clock.advance(31 * SECOND)
    await second.begun(1)
    await second.inState(id, 'done')
    expect(second.runs[0]).toMatchObject({
      data: 'data',
      call: { attempt: 2, idempotencyKey: first.runs[0]?.call.idempotencyKey },
    })
  })

  test('keeps a job as dead when its last attempt crashed the process', async () => {
    const url = await engine.emptyDatabase()
    const clock = fakeClock()
    const first = await bench({ url, clock })
    first.define('poison', () => new Promise(() => {}), { maxAttempts: 1 })
    await first.jobs.start()
    const { id } = await first.jobs.enqueue('poison', null)
    await first.begun(1)
    await first.storage.close()

    const second = await bench({ url, clock })
    second.define('poison', undefined, { maxAttempts: 1 })
    await second.jobs.start()
    await clock.advance(31 * SECOND)
    await second.inState(id, 'dead')
    expect(second.runs).toEqual([])
  })

  test('stops: aborts what runs, and does not count that try', async () => {
    const { jobs, define, begun, inState, runs } = await bench()
    define('long', untilAborted)
    await jobs.start()
    const { id } = await jobs.enqueue('long', null)
    await begun(1)
    await jobs.stop()
    expect(runs[0]?.call.signal.reason).toMatchObject({ code: 'jobs_stopped' })
    expect(await jobs.get(id)).toMatchObject({ state: 'waiting', attempt: 0 })
    await jobs.enqueue('long', null)
    expect(runs).toHaveLength(1)
    await jobs.start()
    await begun(3)
    await inState(id, 'running')
  })

  test('refuses data that does not fit, without showing it', async () => {
    const { jobs } = await bench()
    jobs.define('strict', z.object({ city: z.string(), pin: z.number() }), async () => {})
    const attempt = jobs.enqueue('strict', { city: 'Berlin', pin: 'secret' })
    await expect(attempt).rejects.toMatchObject({ code: 'job_data_invalid', message: expect.stringContaining('pin') })
    await expect(attempt).rejects.not.toThrow('secret')
    jobs.define('loose', z.unknown(), async () => {})
    const circle: Record<string, unknown> = {}
    circle.self = circle
    for (const data of [undefined, circle, 'x'.repeat(1_000_001)]) {
      await expect(jobs.enqueue('loose', data)).rejects.toMatchObject({ code: 'job_data_invalid' })
    }
    await expect(jobs.enqueue('nobody', {})).rejects.toMatchObject({ code: 'job_kind_unknown' })
    expect(() => jobs.define('loose', z.unknown(), async () => {})).toThrow('already defined')
  })

  test('keeps a job as dead whose data no longer matches its kind', async () => {
    const url = await engine.emptyDatabase()
    const first = await bench({ url })
    first.define('changed')
    const { id } = await first.jobs.enqueue('changed', { old: true })
    await first.storage.close()
    const second = await bench({ url })
    second.jobs.define('changed', z.object({ fresh: z.boolean() }), async () => {})
    await second.jobs.start()
    await second.inState(id, 'dead')
    expect(await second.jobs.get(id)).toMatchObject({ data: { old: true } })
  })

  test('keeps and reports jobs of a kind without a definition', async () => {
    const url = await engine.emptyDatabase()
    const first = await bench({ url })
    first.define('gone')
    const { id } = await first.jobs.enqueue('gone', 1)
    await first.jobs.enqueue('gone', 2)
    await first.jobs.schedule('s', '0 9 * * *', 'UTC', 'gone', 3)
    await first.storage.close()

    const second = await bench({ url })
    await second.jobs.start()
    expect([...(await second.jobs.unknownKinds())]).toEqual([['gone', 2]])
    expect(second.log).toMatchObject([{ level: 'warn', fields: { kind: 'gone', count: 2 } }])
    await second.clock.advance(48 * HOUR)
    expect(await second.jobs.get(id)).toMatchObject({ state: 'waiting', attempt: 0 })
    second.define('gone')
    await second.begun(3)
  })

  test('keeps and reports a schedule of a kind without a definition', async () => {
    const url = await engine.emptyDatabase()
    const first = await bench({ url })
    first.define('gone')
    await first.jobs.schedule('s', '0 9 * * *', 'UTC', 'gone', 3)
    await first.storage.close()

    const second = await bench({ url })
    await second.jobs.start()
    expect(second.log).toMatchObject([
      { level: 'warn', message: 'a schedule of an undefined kind is kept and waits', fields: { kind: 'gone' } },
    ])
  })

  test('removes the schedule of a replaced maintenance job, which has the name of its kind', async () => {
    const url = await engine.emptyDatabase()
    const first = await bench({ url })
    first.define('shop/tidy')
    await first.jobs.schedule('shop/tidy', '0 9 * * *', 'UTC', 'shop/tidy', {})
    await first.storage.close()

    const second = await bench({ url })
    await second.jobs.start()
    expect(second.log).toEqual([])
    expect([...(await second.jobs.unknownKinds())]).toEqual([])
  })

  test('enqueues a job at each time of a schedule, in its time zone', async () => {
    const clock = fakeClock(Date.parse('2027-03-26T12:00:00Z'))
    const { jobs, define, begun, inState, runs } = await bench({ clock })
    define('daily')
    await jobs.start()
    await jobs.schedule('morning', '30 2 * * *', 'Europe/Berlin', 'daily', { n: 1 })
    const expected = ['2027-03-27T01:30:00.000Z', '2027-03-28T01:00:00.000Z', '2027-03-29T00:30:00.000Z']
    for (const [index, time] of expected.entries()) {
      await clock.advance(Date.parse(time) - clock.now())
      await begun(index + 1)
      await inState(runs[index]!.call.jobId, 'done')
    }
    expect(runs.map(run => new Date(run.at).toISOString())).toEqual(expected)
    expect(runs[0]?.data).toEqual({ n: 1 })
  })

  test('runs a time that comes twice once', async () => {
    const clock = fakeClock(Date.parse('2027-10-30T12:00:00Z'))
    const { jobs, define, begun, inState, runs } = await bench({ clock })
    define('daily')
    await jobs.start()
    await jobs.schedule('morning', '30 2 * * *', 'Europe/Berlin', 'daily', null)
    for (const [index, time] of ['2027-10-31T00:30:00Z', '2027-11-01T01:30:00Z'].entries()) {
      await clock.advance(Date.parse(time) - clock.now())
      await begun(index + 1)
      await inState(runs[index]!.call.jobId, 'done')
      expect(runs).toHaveLength(index + 1)
    }
  })

  test('makes up for missed times with one job, and keeps its next time when set again', async () => {
    const url = await engine.emptyDatabase()
    const clock = fakeClock()
    const first = await bench({ url, clock })
    first.define('hourly')
    await first.jobs.schedule('s', '0 * * * *', 'UTC', 'hourly', 1)
    await first.storage.close()
    await clock.advance(5 * HOUR + 10 * MINUTE)

    const second = await bench({ url, clock })
    second.define('hourly')
    await second.jobs.schedule('s', '0 * * * *', 'UTC', 'hourly', 2)
    await second.jobs.start()
    await second.begun(1)
    expect(second.runs).toMatchObject([{ data: 2 }])
    await second.inState(second.runs[0]!.call.jobId, 'done')
    await clock.advance(50 * MINUTE)
    await second.begun(2)
    expect(second.runs[1]?.at).toBe(clock.now())
  })

  test('leaves a time out while the last job of the schedule is unfinished', async () => {
    const { jobs, clock, define, begun, inState, runs, log } = await bench()
    const go = Promise.withResolvers<void>()
    define('slow', () => go.promise, { timeLimitMs: 24 * HOUR })
    await jobs.start()
    await jobs.schedule('s', '0 * * * *', 'UTC', 'slow', null)
    await clock.advance(HOUR)
    await begun(1)
    await clock.advance(HOUR)
    await vi.waitFor(() => expect(log).toMatchObject([{ level: 'warn', fields: { key: 's' } }]), PATIENCE)
    go.resolve()
    await inState(runs[0]!.call.jobId, 'done')
    await clock.advance(HOUR)
    await begun(2)
  })

  test('replaces and ends a schedule', async () => {
    const { jobs, clock, define, begun, runs } = await bench()
    define('tick')
    await jobs.start()
    await jobs.schedule('s', '0 * * * *', 'UTC', 'tick', 'old')
    await jobs.schedule('s', '30 * * * *', 'UTC', 'tick', 'new')
    await clock.advance(HOUR)
    await begun(1)
    expect(runs).toMatchObject([{ data: 'new' }])
    expect(await jobs.unschedule('s')).toBe(true)
    expect(await jobs.unschedule('s')).toBe(false)
    await clock.advance(5 * HOUR)
    expect(runs).toHaveLength(1)
  })

  test('a schedule continues at its own times after the clock was ahead for a while', async () => {
    const { jobs, clock, storage, runs, define, begun, inState } = await bench()
    define('tick')
    await jobs.start()
    await jobs.schedule('hourly', '30 * * * *', 'UTC', 'tick', {})
    clock.jump(24 * HOUR)
    await clock.advance(2 * MINUTE)
    await begun(1)
    const { id } = await jobs.enqueue('tick', {}, { runAt: 0 })
    await inState(id, 'done')
    clock.jump(-24 * HOUR)
    const back = clock.now()
    const nextAt = async () => {
      await clock.advance(SECOND)
      const { rows } = await sql<{ next_at: number }>`select next_at from sibyl_job_schedule`.execute(storage.read)
      return Number(rows[0]?.next_at)
    }
    await expect.poll(nextAt, PATIENCE).toBeLessThan(back + 4 * HOUR)
    expect(runs.length).toBe(2)
  })

  test('a schedule set again keeps no time that a wrong clock gave it', async () => {
    const url = await engine.emptyDatabase()
    const clock = fakeClock()
    const before = await bench({ url, clock })
    before.define('tick')
    clock.jump(24 * HOUR)
    await before.jobs.schedule('hourly', '30 * * * *', 'UTC', 'tick', {})
    await before.storage.close()
    clock.jump(-24 * HOUR)
    const { jobs, define, begun } = await bench({ url, clock })
    define('tick')
    await jobs.start()
    await jobs.schedule('hourly', '30 * * * *', 'UTC', 'tick', {})
    await clock.advance(HOUR)
    await begun(1)
  })

  test('a time that the clock passes twice is run once', async () => {
    const { jobs, clock, runs, define, begun } = await bench()
    define('tick')
    await jobs.start()
    await jobs.schedule('hourly', '30 * * * *', 'UTC', 'tick', {})
    await clock.advance(31 * MINUTE)
    await begun(1)
    clock.jump(-5 * MINUTE)
    await clock.advance(10 * MINUTE)
    expect(runs.length).toBe(1)
  })

  test('refuses a schedule that cannot be', async () => {
    const { jobs, define } = await bench()
    define('tick')
    for (const cron of ['', 'nonsense', '61 * * * *', '* * * * * *', '0 0 30 2 *']) {
      await expect(jobs.schedule('s', cron, 'UTC', 'tick', null)).rejects.toMatchObject({ code: 'cron_invalid' })
    }
    const zone = jobs.schedule('s', '* * * * *', 'Mars/Olympus', 'tick', null)
    await expect(zone).rejects.toMatchObject({ code: 'time_zone_invalid' })
    const kind = jobs.schedule('s', '* * * * *', 'UTC', 'nobody', null)
    await expect(kind).rejects.toMatchObject({ code: 'job_kind_unknown' })
  })

  test.runIf(engine.name === 'postgres')('runs each job once in all processes together', async () => {
    const url = await engine.emptyDatabase()
    const benches = await Promise.all([bench({ url }), bench({ url }), bench({ url })])
    for (const { define } of benches) define('shared', undefined, { concurrency: 10 })
    const ids: string[] = []
    for (let number = 0; number < 60; number++) ids.push((await benches[0]!.jobs.enqueue('shared', number)).id)
    await benches[0]!.jobs.schedule('s', '0 * * * *', 'UTC', 'shared', 'cron')
    await Promise.all(benches.map(({ jobs }) => jobs.start()))
    for (const id of ids) await benches[0]!.inState(id, 'done')
    await Promise.all(benches.map(({ clock }) => clock.advance(HOUR)))
    await vi.waitFor(() => expect(benches.flatMap(({ runs }) => runs)).toHaveLength(61), PATIENCE)
    const numbers = benches.flatMap(({ runs }) => runs.map(run => run.data))
    expect(new Set(numbers).size).toBe(61)
  })

  test.runIf(engine.name === 'postgres')('aborts a job that another process cancels', async () => {
    const url = await engine.emptyDatabase()
    const first = await bench({ url })
    const second = await bench({ url })
    first.define('long', untilAborted)
    await first.jobs.start()
    const { id } = await first.jobs.enqueue('long', null)
    await first.begun(1)
    const signalled = aborted(first.runs[0]!.call)
    await second.jobs.cancel(id)
    await first.clock.advance(10 * SECOND)
    await signalled
    expect(first.runs[0]?.call.signal.reason).toMatchObject({ code: 'job_cancelled' })
  })

  test.runIf(engine.name === 'postgres')('aborts a job whose lease another process took over', async () => {
    const url = await engine.emptyDatabase()
    const first = await bench({ url })
    const second = await bench({ url, clock: fakeClock(first.clock.now() + MINUTE) })
    first.define('long', untilAborted)
    second.define('long')
    await first.jobs.start()
    const { id } = await first.jobs.enqueue('long', null)
    await first.begun(1)
    await second.jobs.start()
    await second.begun(1)
    await second.inState(id, 'done')
    const signalled = aborted(first.runs[0]!.call)
    await first.clock.advance(10 * SECOND)
    await signalled
    expect(first.runs[0]?.call.signal.reason).toMatchObject({ code: 'job_lease_lost' })
    expect(await first.jobs.get(id)).toMatchObject({ state: 'done', attempt: 2 })
  })
})
