import { AsyncLocalStorage } from 'node:async_hooks'
import { storageErrors } from '../errors/storage-errors.ts'
import type { StorageLogger } from '../logging/logger.ts'
import type { Clock } from '../time/clock.ts'
import { errorText } from './error-text.ts'
import { type JobKind, parseJobData } from './job-kind.ts'
import type { JobLeases } from './job-leases.ts'
import type { JobSchedules } from './job-schedules.ts'
import type { JobStore, StoredJob } from './job-store.ts'
import { LEASE_MS, type LeaseRenewal } from './lease-renewal.ts'
import { createTryEnds, type TryEnds } from './try-ends.ts'

/** Time for an aborted job to end before it is abandoned. */
const ABORT_GRACE_MS = 5_000
const ERROR_PAUSE_MS = 1_000
const LONGEST_ERROR_PAUSE_MS = 10_000
/** Time that a slot of a full kind may stay empty until others are free too, in milliseconds. */
const REFILL_PAUSE_MS = 20

export interface JobRunnerOptions {
  readonly store: JobStore
  readonly leases: JobLeases
  readonly renewal: LeaseRenewal
  readonly schedules: JobSchedules
  readonly kinds: ReadonlyMap<string, JobKind>
  readonly clock: Required<Clock>
  readonly logger: StorageLogger
  /** The longest time between two looks into the database, for jobs that other processes took in or left behind. */
  readonly lookAgainMs: number
  /** Strikes secrets out of the text of a failure. */
  readonly redact: (text: string) => string
}

/** A job that runs here now. */
interface RunningJob {
  readonly job: StoredJob
  readonly abort: AbortController
  /** Resolves when its end is recorded. */
  readonly ended: Promise<void>
}

/** Runs jobs when they are due, renews the leases of those that run, and takes over those whose process is gone. */
export class JobRunner {
  readonly #options: JobRunnerOptions
  readonly #running = new Map<string, RunningJob>()
  /** Jobs run in the asynchronous context that made the runner, not in that of the write that woke it. */
  readonly #inOwnContext = AsyncLocalStorage.snapshot()
  #started = false
  #turn: Promise<void> | undefined
  #turnWanted = false
  #wakeAt = Number.POSITIVE_INFINITY
  #forgetWake = (): void => {}
  #tryEnded = Promise.withResolvers<void>()
  readonly #ends: TryEnds
  #failedTurns = 0
  /** Kinds that had no room at the last look: when they are due next was not asked for. */
  #full: ReadonlySet<string> = new Set()
  #forgetRefill: (() => void) | undefined

  constructor(options: JobRunnerOptions) {
    this.#options = options
    this.#ends = createTryEnds(options.leases, options.clock, options.logger, options.redact)
  }

  /** Begins to look for due jobs; resolves after the first look. */
  async start(): Promise<void> {
    this.#started = true
    this.wake()
    await this.#turn
  }

  /** Aborts the running jobs and waits for them, but not longer than the grace time. */
  async stop(graceMs: number): Promise<void> {
    this.#started = false
    this.#forgetWake()
    this.#forgetRefill?.()
    await this.#turn
    for (const { abort } of this.#running.values()) abort.abort(storageErrors.jobs_stopped())
    const late = Promise.withResolvers<void>()
    const forget = this.#options.clock.schedule(graceMs, late.resolve)
    await Promise.race([Promise.all([...this.#running.values()].map(({ ended }) => ended)), late.promise])
    forget()
    this.#options.renewal.stop()
    for (const { job } of this.#running.values()) {
      this.#options.logger.warn('a job did not end in time and runs again later', { id: job.id, kind: job.kind })
    }
  }

  /** Looks into the database now, or at a later time if no look is due before. */
  wake(at = 0): void {
    if (!this.#started) return
    if (this.#turn !== undefined) this.#turnWanted = true
    else if (at <= this.#options.clock.now()) this.#turn = this.#inOwnContext(() => this.#takeTurns('look'))
    else if (at < this.#wakeAt) this.#wakeLater(at)
  }

  /** Resolves at the next end of a try in this process, of any job. */
  nextEnd(): Promise<void> {
    return this.#tryEnded.promise
  }

  /** After the end of a job: fills the slots of a kind that was full, several at once where many jobs are short. */
  #refill(kind: JobKind): void {
    if (!this.#started || !this.#full.has(kind.name)) return
    if (this.#turn !== undefined) this.#turnWanted = true
    else if ((this.#freeSlots().get(kind.name) ?? 0) >= kind.concurrency / 4) {
      this.#turn = this.#inOwnContext(() => this.#takeTurns('refill'))
    } else this.#forgetRefill ??= this.#options.clock.schedule(REFILL_PAUSE_MS, () => this.wake())
  }

  async #takeTurns(first: 'look' | 'refill'): Promise<void> {
    this.#forgetWake()
    this.#forgetRefill?.()
    this.#forgetRefill = undefined
    let next: number
    let turn = first
    do {
      this.#turnWanted = false
      next = await this.#takeTurn(this.#options.clock.now(), turn)
      turn = 'look'
    } while (this.#turnWanted && this.#started)
    this.#turn = undefined
    if (this.#started) this.#wakeLater(next)
  }

  /** Returns the time of the next turn. */
  async #takeTurn(now: number, turn: 'look' | 'refill'): Promise<number> {
    try {
      const next = turn === 'look' ? await this.#startDue(now) : await this.#startMore(now)
      this.#failedTurns = 0
      return next
    } catch (error) {
      this.#options.logger.warn('durable jobs wait for the database', { error: errorText(error) })
      return now + Math.min(ERROR_PAUSE_MS * 2 ** this.#failedTurns++, LONGEST_ERROR_PAUSE_MS)
    }
  }

  #wakeLater(at: number): void {
    const { clock, lookAgainMs } = this.#options
    this.#forgetWake()
    this.#wakeAt = at
    const delayMs = Math.min(Math.max(at - clock.now(), 0), lookAgainMs)
    this.#forgetWake = clock.schedule(delayMs, () => this.wake())
  }

  /** Starts what is due and returns the time of the next turn. */
  async #startDue(now: number): Promise<number> {
    const { leases, schedules, kinds, lookAgainMs } = this.#options
    const names = [...kinds.keys()]
    await schedules.fireDue(names, now)
    for (const job of await leases.abandoned(now)) await this.#ends.abandoned(job, kinds.get(job.kind), now)
    const free = this.#freeSlots()
    if (free.size > 0 && (await leases.isAnyDue([...free.keys()], now))) await this.#claim(free, now)
    const stillFree = this.#freeSlots()
    this.#full = new Set(names.filter(name => !stillFree.has(name)))
    const next = await leases.nextTime(names, [...stillFree.keys()])
    return Math.min(next ?? Number.POSITIVE_INFINITY, now + lookAgainMs)
  }

  /** Starts more jobs of kinds that were full, and checks again if that leaves one with free slots. */
  async #startMore(now: number): Promise<number> {
    const free = this.#freeSlots()
    for (const name of free.keys()) if (!this.#full.has(name)) free.delete(name)
    if (free.size > 0) await this.#claim(free, now)
    const stillFree = this.#freeSlots()
    if ([...this.#full].some(name => stillFree.has(name))) this.#turnWanted = true
    return this.#wakeAt
  }

  async #claim(free: ReadonlyMap<string, number>, now: number): Promise<void> {
    const leaseUntil = now + LEASE_MS
    for (const job of await this.#options.leases.claim(free, now, leaseUntil)) this.#begin(job, leaseUntil)
  }

  #freeSlots(): Map<string, number> {
    const free = new Map<string, number>()
    for (const { name, concurrency } of this.#options.kinds.values()) free.set(name, concurrency)
    for (const { job } of this.#running.values()) free.set(job.kind, (free.get(job.kind) ?? 0) - 1)
    for (const [name, slots] of free) if (slots <= 0) free.delete(name)
    return free
  }

  #begin(job: StoredJob, leaseUntil: number): void {
    const kind = this.#options.kinds.get(job.kind)
    if (kind === undefined) return
    const abort = new AbortController()
    const ended = this.#run(job, kind, abort)
    this.#running.set(job.id, { job, abort, ended })
    this.#options.renewal.keep(job.id, abort, leaseUntil)
  }

  async #run(job: StoredJob, kind: JobKind, abort: AbortController): Promise<void> {
    const { clock } = this.#options
    const forgetLimit = clock.schedule(kind.timeLimitMs, () =>
      abort.abort(storageErrors.job_timeout({ timeLimitMs: kind.timeLimitMs })),
    )
    const { signal } = abort
    const givenUp = Promise.withResolvers<never>()
    let forgetGrace = (): void => {}
    signal.addEventListener('abort', () => {
      if (storageErrors.jobs_stopped.is(signal.reason)) return
      forgetGrace = clock.schedule(ABORT_GRACE_MS, () => givenUp.reject(signal.reason))
    })
    try {
      await Promise.resolve()
      const call = {
        jobId: job.id,
        attempt: job.attempt,
        idempotencyKey: `job:${job.id}`,
        ...(job.request_id === null ? {} : { requestId: job.request_id }),
        signal,
      }
      const data = parseJobData(kind, job.data)
      await Promise.race([kind.run(data, call), givenUp.promise])
      const nextRun = await this.#ends.done(job)
      if (nextRun !== undefined) this.wake(nextRun)
    } catch (error) {
      const nextTry = await this.#ends.failed(job, kind, { error, reason: signal.reason })
      if (nextTry !== undefined) this.wake(nextTry)
    } finally {
      forgetLimit()
      forgetGrace()
      this.#running.delete(job.id)
      this.#tryEnded.resolve()
      this.#tryEnded = Promise.withResolvers()
      this.#options.renewal.drop(job.id)
      this.#refill(kind)
    }
  }
}
