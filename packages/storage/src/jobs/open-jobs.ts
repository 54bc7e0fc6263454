import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { z } from 'zod'
import type { Storage } from '../contract/storage.ts'
import { storageErrors } from '../errors/storage-errors.ts'
import { type StorageLogger, silentLogger } from '../logging/logger.ts'
import { type Clock, systemClock } from '../time/clock.ts'
import { afterCommit } from '../transactions/transaction-scope.ts'
import { assertJobData, type JobKind, jobKind } from './job-kind.ts'
import { JobLeases } from './job-leases.ts'
import { type JobCount, type JobFilter, type JobKindInfo, JobReports, type JobSummary } from './job-reports.ts'
import { JobRunner } from './job-runner.ts'
import { JobSchedules } from './job-schedules.ts'
import { JobStore, type StoredJob } from './job-store.ts'
import { type JobTables, jobMigrations } from './job-tables.ts'
import type {
  AnyTransaction,
  EnqueueOptions,
  EnqueueResult,
  HeldJob,
  HoldOptions,
  JobCall,
  JobInfo,
  JobKindOptions,
  JobState,
  Jobs,
} from './jobs.ts'
import { LEASE_MS, LeaseRenewal } from './lease-renewal.ts'
import { SharedClock } from './shared-clock.ts'

/** One process looks only for what its own timers may have missed; several look for what others left. */
const LOOK_AGAIN_MS = { sqlite: 60_000, postgres: 10_000 } as const
const STOP_GRACE_MS = 10_000
const DEAD_LISTED = 100

export interface JobsOptions {
  /** Its database keeps the jobs; one `Jobs` for each storage. */
  readonly storage: Pick<Storage, 'engine' | 'for' | 'migrate'>
  /** @default the computer's clock */
  readonly clock?: Clock
  /** @default nothing is logged */
  readonly logger?: StorageLogger
  /** Redacts secrets from the text of a failure, which is stored and logged. @default no redaction */
  readonly redact?: (text: string) => string
}

/** Jobs whose owner can list them, and run one of them at once. */
export interface OpenedJobs extends Jobs {
  /** The time of the database on PostgreSQL, and how far this process's clock is ahead of it. */
  readonly clock: Clock & { readonly offsetMs: number }
  /**
   * Runs a job now and waits for its end: a new one with `data`; without, all of the kind that wait for their time, else
   * those that the kind's schedules make. A failed one is not tried again.
   *
   * @throws Error when a try fails, or no job of the kind waits and no schedule makes one; `job_kind_unknown`, `job_data_invalid`
   */
  runNow(kind: string, data?: unknown): Promise<void>
  /** Returns the kinds that are defined in this process, by name. */
  kinds(): readonly JobKindInfo[]
  /** Returns jobs in one state: waiting ones by their time, others the latest first. */
  list(filter: JobFilter): Promise<readonly JobSummary[]>
  /** Returns one job without its data; undefined if it is unknown. */
  find(id: string): Promise<JobSummary | undefined>
  /** Returns the number of jobs of each kind in each state; ended ones until they are deleted. */
  countsByKind(): Promise<readonly JobCount[]>
  /**
   * Resets the attempts of `dead` jobs of a kind in one write, the oldest first. Those whose dedupe key has an unfinished
   * job are cancelled instead. Returns the numbers of both.
   */
  retryMany(kind: string, limit: number): Promise<{ readonly revived: number; readonly cancelled: number }>
  /** Runs a job that waits for its next attempt after a failure now. False if it does not wait for one. */
  hasten(id: string): Promise<boolean>
}

/**
 * Opens the durable jobs of a storage, with its tables. Nothing runs before `start()`. The retention of core deletes ended jobs.
 *
 * @throws the errors of `storage.migrate`
 * @example
 * const jobs = await openJobs({ storage })
 * jobs.define('weather/refresh', z.object({ city: z.string() }), async ({ city }, { signal }) => refresh(city, signal))
 * await jobs.start()
 * await jobs.enqueue('weather/refresh', { city: 'Berlin' }, { runAt: Date.now() + 60_000, dedupeKey: 'Berlin' })
 * await jobs.schedule('weather-morning', '0 6 * * *', 'Europe/Berlin', 'weather/refresh', { city: 'Berlin' })
 */
export const openJobs = async (options: JobsOptions): Promise<OpenedJobs> => {
  await options.storage.migrate('sibyl/jobs', jobMigrations)
  const jobs = new OpenJobs(options)
  await jobs.clock.measure(options.storage.for<JobTables>())
  return jobs
}

/** Maximum attempts of a write that other enqueued jobs can prevent. */
const maxAttemptsCount = 5

const infoOf = (job: StoredJob): JobInfo => ({
  id: job.id,
  kind: job.kind,
  state: job.state,
  attempt: job.attempt,
  runAt: job.run_at,
  data: job.data,
  ...(job.last_error !== null && { lastError: job.last_error }),
})

class OpenJobs implements OpenedJobs {
  readonly clock: SharedClock
  readonly #storage: Storage<JobTables>
  readonly #logger: StorageLogger
  readonly #store: JobStore
  readonly #reports: JobReports
  readonly #leases: JobLeases
  readonly #renewal: LeaseRenewal
  readonly #schedules: JobSchedules
  readonly #runner: JobRunner
  readonly #kinds = new Map<string, JobKind>()
  #forgetTime = (): void => {}

  constructor(options: JobsOptions) {
    this.#storage = options.storage.for<JobTables>()
    this.#logger = options.logger ?? silentLogger
    this.clock = new SharedClock(options.storage, options.clock ?? systemClock, this.#logger)
    this.#store = new JobStore(this.#storage)
    this.#reports = new JobReports(this.#storage)
    this.#leases = new JobLeases(this.#storage)
    this.#schedules = new JobSchedules(this.#storage, this.#store, this.#logger)
    const shared = { store: this.#store, leases: this.#leases, clock: this.clock, logger: this.#logger }
    this.#renewal = new LeaseRenewal(shared)
    this.#runner = new JobRunner({
      ...shared,
      renewal: this.#renewal,
      schedules: this.#schedules,
      kinds: this.#kinds,
      lookAgainMs: LOOK_AGAIN_MS[options.storage.engine],
      redact: options.redact ?? (text => text),
    })
  }

  define<Schema extends z.ZodType>(
    kind: string,
    schema: Schema,
    run: (data: z.output<Schema>, call: JobCall) => Promise<void>,
    options?: JobKindOptions,
  ): void {
    if (this.#kinds.has(kind)) throw storageErrors.job_kind_taken({ kind })
    this.#kinds.set(kind, jobKind(kind, schema, run, options))
    this.#runner.wake()
  }

  async enqueue(kind: string, data: unknown, options: EnqueueOptions = {}): Promise<EnqueueResult> {
    assertJobData(this.#kind(kind), data)
    const now = this.clock.now()
    const runAt = Number(options.runAt ?? now)
    const job = {
      id: randomUUID(),
      kind,
      data,
      runAt,
      dedupeKey: options.dedupeKey ?? null,
      again: options.again ?? false,
      requestId: options.requestId,
      now,
    }
    const insert = async (tx: Transaction<JobTables>): Promise<EnqueueResult> => {
      const result = await this.#store.insert(tx, job)
      await afterCommit(tx, () => this.#runner.wake(runAt))
      return result
    }
    return await this.#within(options.tx, insert)
  }

  async hold(kind: string, data: unknown, options: HoldOptions = {}): Promise<HeldJob | undefined> {
    assertJobData(this.#kind(kind), data)
    const now = this.clock.now()
    const { dedupeKey = null, requestId, tx } = options
    const job = { id: randomUUID(), kind, data, runAt: now, dedupeKey, requestId, now }
    const lease = { owner: this.#leases.owner, until: now + LEASE_MS }
    const abort = new AbortController()
    const taken = await this.#within(tx, async own => {
      const result = await this.#store.insertNew(own, job, lease)
      if (result !== undefined) await afterCommit(own, () => this.#renewal.keep(job.id, abort, lease.until))
      return result
    })
    return taken && this.#heldJob(job.id, abort.signal)
  }

  #heldJob(id: string, signal: AbortSignal): HeldJob {
    return {
      id,
      signal,
      complete: tx =>
        this.#within(tx, async own => {
          const completed = await this.#leases.complete(own, id, this.clock.now())
          await afterCommit(own, () => this.#renewal.drop(id))
          return completed
        }),
      release: async () => {
        this.#renewal.drop(id)
        const held = { id, lease_owner: this.#leases.owner, attempt: 1 }
        await this.#leases.endTry(held, { state: 'waiting', runAt: this.clock.now(), attempt: 0 })
        this.#runner.wake()
      },
    }
  }

  /** Does work in the transaction of a caller, or in one of its own. */
  async #within<T>(tx: AnyTransaction | undefined, work: (own: Transaction<JobTables>) => Promise<T>): Promise<T> {
    if (tx === undefined) return await this.#storage.write(work)
    // Its owner may read columns under other names.
    return await work((tx as unknown as Transaction<JobTables>).withoutPlugins())
  }

  async schedule(key: string, cron: string, timeZone: string, kind: string, data: unknown): Promise<void> {
    assertJobData(this.#kind(kind), data)
    const next = await this.#schedules.set({ key, cron, timeZone, kind, data }, this.clock.now())
    this.#runner.wake(next)
  }

  async runNow(kind: string, data?: unknown): Promise<void> {
    this.#kind(kind)
    const ids = data === undefined ? await this.#bringForward(kind) : [(await this.enqueue(kind, data)).id]
    if (ids.length === 0)
      throw new Error(`No job of kind '${kind}' is waiting, and no schedule creates one. Pass its data.`)
    this.#runner.wake()
    for (const id of ids) await this.#tried(id)
  }

  async #bringForward(kind: string): Promise<readonly string[]> {
    const waiting = await this.#store.makeDue(kind, this.clock.now())
    if (waiting.length > 0) return waiting
    const schedules = await this.#schedules.ofKind(kind)
    const made = schedules.map(({ key, data }) => this.enqueue(kind, data, { dedupeKey: `schedule:${key}` }))
    return (await Promise.all(made)).map(({ id }) => id)
  }

  async #tried(id: string): Promise<void> {
    for (;;) {
      const ended = this.#runner.nextEnd()
      const job = await this.#store.find(id)
      if (job === undefined || job.state === 'done' || job.state === 'cancelled') return
      if (job.last_error !== null && job.state !== 'running') {
        if (job.state === 'waiting') await this.cancel(id)
        throw new Error(`The job '${job.kind}' failed: ${job.last_error}`)
      }
      await ended
    }
  }

  unschedule(key: string): Promise<boolean> {
    return this.#schedules.remove(key)
  }

  async cancel(id: string): Promise<boolean> {
    const cancelled = await this.#store.cancel(id, this.clock.now())
    if (cancelled) this.#renewal.cancelled(id)
    return cancelled
  }

  async get(id: string): Promise<JobInfo | undefined> {
    const job = await this.#store.find(id)
    return job && infoOf(job)
  }

  async dead(options: { readonly kind?: string; readonly limit?: number } = {}): Promise<readonly JobInfo[]> {
    const jobs = await this.#store.dead(options.kind, options.limit ?? DEAD_LISTED)
    return jobs.map(infoOf)
  }

  counts(): Promise<ReadonlyMap<JobState, number>> {
    return this.#store.counts()
  }

  async retry(id: string): Promise<boolean> {
    try {
      const revived = await this.#store.revive(id, this.clock.now())
      if (revived) this.#runner.wake()
      return revived
    } catch (error) {
      if (storageErrors.constraint_violated.is(error)) return false
      throw error
    }
  }

  async retryMany(kind: string, limit: number): Promise<{ revived: number; cancelled: number }> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const changed = await this.#store.reviveMany(kind, limit, this.clock.now())
        if (changed.revived > 0) this.#runner.wake()
        return changed
      } catch (error) {
        // A job with the key of a dead one was enqueued meanwhile: the next attempt sees it.
        if (!storageErrors.constraint_violated.is(error) || attempt === maxAttemptsCount) throw error
      }
    }
  }

  kinds(): readonly JobKindInfo[] {
    return [...this.#kinds.values()]
      .map(({ name, purpose, maxAttempts }) => ({ name, purpose, maxAttempts }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  }

  list(filter: JobFilter): Promise<readonly JobSummary[]> {
    return this.#reports.list(filter)
  }

  find(id: string): Promise<JobSummary | undefined> {
    return this.#reports.find(id)
  }

  countsByKind(): Promise<readonly JobCount[]> {
    return this.#reports.counts()
  }

  async hasten(id: string): Promise<boolean> {
    const due = await this.#store.hasten(id, this.clock.now())
    if (due) this.#runner.wake()
    return due
  }

  unknownKinds(): Promise<ReadonlyMap<string, number>> {
    return this.#store.unknownKinds([...this.#kinds.keys()])
  }

  async start(): Promise<void> {
    this.#forgetTime = this.clock.follow(this.#storage)
    for (const [kind, count] of await this.unknownKinds()) {
      if (count > 0) this.#logger.warn('jobs of an undefined kind are kept and wait', { kind, count })
      else if (!(await this.#schedules.remove(kind)))
        this.#logger.warn('a schedule of an undefined kind is kept and waits', { kind })
    }
    await this.#runner.start()
  }

  async stop(options: { readonly graceMs?: number } = {}): Promise<void> {
    this.#forgetTime()
    await this.#runner.stop(options.graceMs ?? STOP_GRACE_MS)
  }

  #kind(name: string): JobKind {
    const kind = this.#kinds.get(name)
    if (kind === undefined) throw storageErrors.job_kind_unknown({ kind: name })
    return kind
  }
}
