import type { Transaction } from 'kysely'
import type { z } from 'zod'

/** What a job's `run` gets besides its data. */
export interface JobCall {
  readonly jobId: string
  /** 1 for the first try. */
  readonly attempt: number
  /** The same in every try of this job, also after a restart; hand it to services that take one. */
  readonly idempotencyKey: string
  /** The request that caused it, as `enqueue` was told. */
  readonly requestId?: string
  /** Aborts when the job is cancelled, its lease is lost, or the process stops. */
  readonly signal: AbortSignal
}

/** How jobs of a kind are run. */
export interface JobKindOptions {
  /** Tries before the job is dead. @default 5 */
  readonly maxAttempts?: number
  /** Milliseconds before the second try; doubled for each further one, with up to a quarter of it added by chance. @default 1_000 */
  readonly backOffMs?: number
  /** The longest pause between two tries, in milliseconds. @default 3_600_000 */
  readonly maxBackOffMs?: number
  /** Jobs of this kind that run at once in this process. @default 4 */
  readonly concurrency?: number
  /** How long one try may take, in milliseconds. @default 900_000 */
  readonly timeLimitMs?: number
}

/** The transaction of a `write`, whatever tables it is typed for. */
export type AnyTransaction = Pick<Transaction<object>, 'isTransaction' | 'getExecutor'>

/** When and how a job is taken in. */
export interface EnqueueOptions {
  /** Milliseconds since 1970, or a Date. @default at once */
  readonly runAt?: number | Date
  /** While a job of this kind and key waits or runs, a second one is not taken in. */
  readonly dedupeKey?: string
  /**
   * With `dedupeKey`: a job that holds the key runs once more after it has ended, and until `tx` has committed it does not
   * start. So whatever the transaction wrote is there in a run that starts afterwards. @default false
   */
  readonly again?: boolean
  /** The id of the request that causes it; in the log lines about the job, and told to `run`. */
  readonly requestId?: string
  /** The transaction of a `write`: the job exists if and when it commits. */
  readonly tx?: AnyTransaction
}

/** What became of an `enqueue`. */
export interface EnqueueResult {
  /** The id of the job, or of the one that holds the dedupe key. */
  readonly id: string
  /** False when the dedupe key was taken. */
  readonly created: boolean
}

/** Options of a held job. */
export type HoldOptions = Pick<EnqueueOptions, 'dedupeKey' | 'requestId' | 'tx'>

/** A job that this process does itself, outside of its kind's `run`. */
export interface HeldJob {
  readonly id: string
  /** Aborts when the job is cancelled or its lease is lost: another process may run it then. */
  readonly signal: AbortSignal
  /** Ends the job, with `tx` if and when that commits. False when this process does not hold it any more. */
  complete(tx?: AnyTransaction): Promise<boolean>
  /** Leaves the job to its kind's `run`, in any process, at once. */
  release(): Promise<void>
}

/** Where a job stands: waiting (for its time or its next try), running, done, dead (all tries failed) or cancelled. */
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
   * @throws JobKindTakenError `job_kind_taken`
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
   * @throws JobKindUnknownError `job_kind_unknown`, JobDataInvalidError `job_data_invalid`
   */
  enqueue(kind: string, data: unknown, options?: EnqueueOptions): Promise<EnqueueResult>
  /**
   * Takes in a job that this process does itself, so that it is done at once. If the process crashes before it completes or
   * releases the job, the lease runs out and the kind's `run` does it. A held job uses no slot of `concurrency`; neither
   * `timeLimitMs` nor `stop` ends it. If `tx` fails, the handle is of no use; if it is unknown whether it committed, release it.
   *
   * @returns undefined where the dedupe key is taken
   * @throws JobKindUnknownError `job_kind_unknown`, JobDataInvalidError `job_data_invalid`
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
   * @throws CronInvalidError `cron_invalid`, TimeZoneInvalidError `time_zone_invalid`, JobKindUnknownError
   * `job_kind_unknown`, JobDataInvalidError `job_data_invalid`
   */
  schedule(key: string, cron: string, timeZone: string, kind: string, data: unknown): Promise<void>
  /** Ends a schedule; a job already taken in stays. False when there was none. */
  unschedule(key: string): Promise<boolean>
  /** Takes a job back: a waiting one never runs, a running one is aborted and not tried again. False when it was over. */
  cancel(id: string): Promise<boolean>
  /** One job, undefined when it is not known any more. */
  get(id: string): Promise<JobInfo | undefined>
  /** Dead jobs, the latest first. */
  dead(options?: { readonly kind?: string; readonly limit?: number }): Promise<readonly JobInfo[]>
  /** How many jobs there are in each state; those that ended are counted for a day. */
  counts(): Promise<ReadonlyMap<JobState, number>>
  /** Gives a dead job all its tries again. False when it is not dead. */
  retry(id: string): Promise<boolean>
  /** Kinds that nobody defines but that have waiting jobs or a schedule, with the number of jobs: they are kept. */
  unknownKinds(): Promise<ReadonlyMap<string, number>>
  /** Begins to run jobs. */
  start(): Promise<void>
  /** Takes no further job, aborts the running ones and waits for them at most `graceMs`; what did not end runs again later. */
  stop(options?: { readonly graceMs?: number }): Promise<void>
}
