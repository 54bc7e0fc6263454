import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '../clock.ts'
import {
  JobCancelledError,
  JobDataInvalidError,
  JobLeaseLostError,
  JobsStoppedError,
  JobTimeoutError,
} from '../errors/job-errors.ts'
import type { StorageLogger } from '../logger.ts'
import { backOffDelay } from './back-off.ts'
import { errorText } from './error-text.ts'
import { type JobKind, parseJobData } from './job-kind.ts'
import type { JobSchedules } from './job-schedules.ts'
import type { JobStore, StoredJob } from './job-store.ts'
import { LEASE_MS, LeaseKeeper, type RunningJob } from './lease-keeper.ts'

/** How long a job that was aborted may take to end before it is given up. */
const ABORT_GRACE_MS = 5_000
const ERROR_PAUSE_MS = 1_000
const LONGEST_ERROR_PAUSE_MS = 10_000
const TRIES_TO_RECORD = 6

/** What a `JobRunner` works with. */
export interface JobRunnerOptions {
  readonly store: JobStore
  readonly schedules: JobSchedules
  readonly kinds: ReadonlyMap<string, JobKind>
  readonly clock: Required<Clock>
  readonly logger: StorageLogger
  /** The longest time between two looks into the database, for jobs that other processes took in or left behind. */
  readonly lookAgainMs: number
  /** Strikes secrets out of the text of a failure. */
  readonly redact: (text: string) => string
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
  readonly #leases: LeaseKeeper
  #failedTurns = 0

  constructor(options: JobRunnerOptions) {
    this.#options = options
    this.#leases = new LeaseKeeper({ ...options, running: this.#running })
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
    await this.#turn
    for (const { abort } of this.#running.values()) abort.abort(new JobsStoppedError())
    const late = Promise.withResolvers<void>()
    const forget = this.#options.clock.schedule(graceMs, late.resolve)
    await Promise.race([Promise.all([...this.#running.values()].map(({ ended }) => ended)), late.promise])
    forget()
    this.#leases.stop()
    for (const { job } of this.#running.values()) {
      this.#options.logger.warn('a job did not end in time and runs again later', { id: job.id, kind: job.kind })
    }
  }

  /** Looks into the database now, or at a later time if no look is due before. */
  wake(at = 0): void {
    if (!this.#started) return
    if (this.#turn !== undefined) this.#turnWanted = true
    else if (at <= this.#options.clock.now()) this.#turn = this.#inOwnContext(() => this.#takeTurns())
    else if (at < this.#wakeAt) this.#wakeLater(at)
  }

  /** Aborts a job that was cancelled, if it runs here. */
  cancelled(id: string): void {
    this.#running.get(id)?.abort.abort(new JobCancelledError())
  }

  async #takeTurns(): Promise<void> {
    this.#forgetWake()
    let next: number
    do {
      this.#turnWanted = false
      next = await this.#takeTurn(this.#options.clock.now())
    } while (this.#turnWanted && this.#started)
    this.#turn = undefined
    if (this.#started) this.#wakeLater(next)
  }

  /** Returns the time of the next turn. */
  async #takeTurn(now: number): Promise<number> {
    try {
      const next = await this.#startDue(now)
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
    const { store, schedules, kinds, lookAgainMs } = this.#options
    const names = [...kinds.keys()]
    await schedules.fireDue(names, now)
    for (const job of await store.abandoned(now)) await this.#takeOver(job, now)
    const due = await this.#dueWithinCapacity(now)
    if (due.length > 0) {
      for (const job of await store.claim(due, now + LEASE_MS)) this.#begin(job, now + LEASE_MS)
    }
    const next = await store.nextTime(names, [...this.#freeSlots().keys()])
    return Math.min(next ?? Number.POSITIVE_INFINITY, now + lookAgainMs)
  }

  #freeSlots(): Map<string, number> {
    const free = new Map<string, number>()
    for (const { name, concurrency } of this.#options.kinds.values()) free.set(name, concurrency)
    for (const { job } of this.#running.values()) free.set(job.kind, (free.get(job.kind) ?? 0) - 1)
    for (const [name, slots] of free) if (slots <= 0) free.delete(name)
    return free
  }

  async #dueWithinCapacity(now: number): Promise<string[]> {
    const free = this.#freeSlots()
    if (free.size === 0) return []
    const slots = [...free.values()].reduce((sum, count) => sum + count, 0)
    const due = await this.#options.store.due([...free.keys()], now, slots)
    return due
      .filter(({ kind }) => {
        const left = free.get(kind) ?? 0
        free.set(kind, left - 1)
        return left > 0
      })
      .map(({ id }) => id)
  }

  /** A job whose process is gone waits for its next try, or is dead when that was its last. */
  async #takeOver(job: StoredJob, now: number): Promise<void> {
    const kind = this.#options.kinds.get(job.kind)
    const error = 'The process that ran it ended or stood still.'
    if (kind !== undefined && job.attempt >= kind.maxAttempts) {
      await this.#options.store.endTry(job, { state: 'dead', now, error })
      this.#options.logger.error('a job is dead', { id: job.id, kind: job.kind, error })
    } else {
      await this.#options.store.endTry(job, { state: 'waiting', runAt: now, attempt: job.attempt, error })
    }
  }

  #begin(job: StoredJob, leaseUntil: number): void {
    const kind = this.#options.kinds.get(job.kind)
    if (kind === undefined) return
    const abort = new AbortController()
    const ended = this.#run(job, kind, abort)
    this.#running.set(job.id, { job, abort, ended, leaseUntil })
    this.#leases.start()
  }

  async #run(job: StoredJob, kind: JobKind, abort: AbortController): Promise<void> {
    const { clock } = this.#options
    const forgetLimit = clock.schedule(kind.timeLimitMs, () => abort.abort(new JobTimeoutError(kind.timeLimitMs)))
    const { signal } = abort
    const givenUp = Promise.withResolvers<never>()
    let forgetGrace = (): void => {}
    signal.addEventListener('abort', () => {
      if (signal.reason instanceof JobsStoppedError) return
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
      await this.#record(() => this.#options.store.endTry(job, { state: 'done', now: clock.now() }))
    } catch (error) {
      await this.#failed(job, kind, error, signal)
    } finally {
      forgetLimit()
      forgetGrace()
      this.#running.delete(job.id)
      if (this.#running.size === 0) this.#leases.stop()
      this.wake()
    }
  }

  async #failed(job: StoredJob, kind: JobKind, error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, store, logger, redact } = this.#options
    const now = clock.now()
    if (signal.reason instanceof JobCancelledError || signal.reason instanceof JobLeaseLostError) return
    if (signal.reason instanceof JobsStoppedError) {
      const attempt = job.attempt - 1
      return await this.#record(() => store.endTry(job, { state: 'waiting', runAt: now, attempt }))
    }
    const text = errorText(signal.reason ?? error, redact)
    const about = {
      id: job.id,
      kind: job.kind,
      attempt: job.attempt,
      ...(job.request_id === null ? {} : { requestId: job.request_id }),
      error: text,
    }
    if (job.attempt >= kind.maxAttempts || error instanceof JobDataInvalidError) {
      logger.error('a job is dead', about)
      return await this.#record(() => store.endTry(job, { state: 'dead', now, error: text }))
    }
    logger.warn('a job failed and is tried again', about)
    const runAt = now + backOffDelay(kind, job.attempt)
    await this.#record(() => store.endTry(job, { state: 'waiting', runAt, attempt: job.attempt, error: text }))
  }

  /** Records how a try ended, patiently: while the database is away the lease keeps others from running it again. */
  async #record(write: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await write()
      } catch (error) {
        this.#options.logger.warn('the end of a job could not be recorded', { tries, error: errorText(error) })
        if (tries >= TRIES_TO_RECORD) return
      }
      await new Promise<void>(resume => this.#options.clock.schedule(100 * 2 ** tries, resume))
    }
  }
}
