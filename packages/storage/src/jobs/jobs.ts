import type { Transaction } from 'kysely'
import type { z } from 'zod'

/** The context of `run` of a job. */
export interface JobCall {
  readonly jobId: string
  /** 1 for the first try. */
  readonly attempt: number
  /** The same in every try of this job, also after a restart; hand it to services that take one. */
  readonly idempotencyKey: string
  /** The request that caused it, from `enqueue`. */
  readonly requestId?: string
  /** Aborts when the job is cancelled, its lease is lost, or the process stops. */
  readonly signal: AbortSignal
}

export interface JobKindOptions {
  /** Maximum attempts. @default 5 */
  readonly maxAttempts?: number
  /** Milliseconds before the second try; doubled for each further one, with up to a quarter of it added by chance. @default 1_000 */
  readonly backOffMs?: number
  /** The longest pause between two tries, in milliseconds. @default 3_600_000 */
  readonly maxBackOffMs?: number
  /** Jobs of this kind that run at once in this process. @default 4 */
  readonly concurrency?: number
  /** Time limit of an attempt, in milliseconds. @default 900_000 */
  readonly timeLimitMs?: number
  /** Purpose of its jobs, for the lists of operators. @default 'work' */
  readonly purpose?: JobPurpose
}

/** `outbox`: messages that are sent to other services; `maintenance`: periodic cleanup; `work`: anything else. */
export type JobPurpose = 'work' | 'outbox' | 'maintenance'

/** The transaction of a `write`, whatever tables it is typed for. */
export type AnyTransaction = Pick<Transaction<object>, 'isTransaction' | 'getExecutor'>

/** When and how a job is taken in. */
export interface EnqueueOptions {
  /** Milliseconds since 1970, or a Date. @default at once */
  readonly runAt?: number | Date
  /** While a job of this kind and key waits or runs, a second one is not taken in. */
  readonly dedupeKey?: string
  /**
   * With `dedupeKey`: a job with that key runs again after it has ended, and does not start until `tx` has committed.
   * So a run that starts afterwards sees the writes of the transaction. @default false
   */
  readonly again?: boolean
  /** The id of the request that causes it; added to the log lines of the job, and passed to `run`. */
  readonly requestId?: string
  /** The transaction of a `write`: the job exists if and when it commits. */
  readonly tx?: AnyTransaction
}

export interface EnqueueResult {
  /** The id of the job, or of the one that holds the dedupe key. */
  readonly id: string
  /** False when the dedupe key was taken. */
  readonly created: boolean
}

/** Options of a held job. */
export type HoldOptions = Pick<EnqueueOptions, 'dedupeKey' | 'requestId' | 'tx'>

/** A job that this process runs directly, outside of `run` of its kind. */
export interface HeldJob {
  readonly id: string
  /** Aborts when the job is cancelled or its lease is lost: another process may run it then. */
  readonly signal: AbortSignal
  /** Ends the job, with `tx` if and when that commits. False if this process no longer holds it. */
  complete(tx?: AnyTransaction): Promise<boolean>
  /** Releases the job to `run` of its kind, in any process, at once. */
  release(): Promise<void>
}

/**
 * The state of a job: waiting (for its time or its next attempt), running, done, `dead` (all attempts failed) or
 * cancelled.
 */
export type JobState = 'waiting' | 'running' | 'done' | 'dead' | 'cancelled'

/** A job as an operator sees it. */
export interface JobInfo {
  readonly id: string
  readonly kind: string
  readonly state: JobState
  readonly attempt: number
  /** Milliseconds since 1970; when it runs next or was due. */
  readonly runAt: number
  readonly data: unknown
  /** The text of the last failure. */
  readonly lastError?: string
}

/** Durable jobs: kept in the database, run at least once, by one process at a time. */
export interface Jobs {
  /**
   * Says how jobs of a kind are run, in every process that shares the database. `schema` checks the data when a job is
   * taken in and again when it runs. `run` may run more than once for a job, so key its effects on `idempotencyKey`.
   *
   * @throws `job_kind_taken`
   */
  define<Schema extends z.ZodType>(
    kind: string,
    schema: Schema,
    run: (data: z.output<Schema>, call: JobCall) => Promise<void>,
    options?: JobKindOptions,
  ): void
  /**
   * Takes a job in.
   *
   * @throws `job_kind_unknown`, `job_data_invalid`
   */
  enqueue(kind: string, data: unknown, options?: EnqueueOptions): Promise<EnqueueResult>
  /**
   * Takes in a job that this process does itself, so that it is done at once. If the process crashes before it completes or
   * releases the job, the lease runs out and the kind's `run` does it. A held job uses no slot of `concurrency`; neither
   * `timeLimitMs` nor `stop` ends it. If `tx` fails, the handle is of no use; if it is unknown whether it committed, release it.
   *
   * @returns undefined where the dedupe key is taken
   * @throws `job_kind_unknown`, `job_data_invalid`
   * @example
   * const job = await storage.write(tx => jobs.hold('shop/pay', order, { tx }))
   * await pay(order)
   * await storage.write(async tx => {
   *   await markPaid(tx, order)
   *   await job?.complete(tx)
   * })
   */
  hold(kind: string, data: unknown, options?: HoldOptions): Promise<HeldJob | undefined>
  /**
   * Takes a job in at each time the cron pattern (five fields) matches in the time zone; replaces the schedule of the
   * same key. Times missed while no process ran give one job, at once. A time at which the last job is still unfinished
   * is left out. May be called at each boot: an unchanged pattern keeps its next time.
   *
   * @throws `cron_invalid`, `time_zone_invalid`, `job_kind_unknown`, `job_data_invalid`
   */
  schedule(key: string, cron: string, timeZone: string, kind: string, data: unknown): Promise<void>
  /** Ends a schedule; a job already taken in stays. False when there was none. */
  unschedule(key: string): Promise<boolean>
  /** Takes a job back: a waiting one never runs, a running one is aborted and not tried again. False when it was over. */
  cancel(id: string): Promise<boolean>
  /** One job, undefined when it is not known any more. */
  get(id: string): Promise<JobInfo | undefined>
  /** Returns `dead` jobs, latest first. */
  dead(options?: { readonly kind?: string; readonly limit?: number }): Promise<readonly JobInfo[]>
  /** Returns the number of jobs in each state; ended ones until they are deleted. */
  counts(): Promise<ReadonlyMap<JobState, number>>
  /** Resets the attempts of a `dead` job. False if it is not `dead`. */
  retry(id: string): Promise<boolean>
  /** Returns undefined kinds with waiting jobs or a schedule, and the number of jobs: they are kept. */
  unknownKinds(): Promise<ReadonlyMap<string, number>>
  /** Begins to run jobs. */
  start(): Promise<void>
  /** Takes no further job, aborts the running ones and waits for them at most `graceMs`; what did not end runs again later. */
  stop(options?: { readonly graceMs?: number }): Promise<void>
}
