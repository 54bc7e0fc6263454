import type { Clock } from '../clock.ts'
import { JobCancelledError, JobDataInvalidError, JobLeaseLostError, JobsStoppedError } from '../errors/job-errors.ts'
import type { StorageLogger } from '../logger.ts'
import { backOffDelay } from './back-off.ts'
import { errorText } from './error-text.ts'
import type { JobKind } from './job-kind.ts'
import type { JobLeases } from './job-leases.ts'
import type { StoredJob } from './job-store.ts'

const TRIES_TO_RECORD = 6

/** What `TryEnds` works with. */
export interface TryEndsOptions {
  readonly leases: JobLeases
  readonly clock: Required<Clock>
  readonly logger: StorageLogger
  /** Strikes secrets out of the text of a failure. */
  readonly redact: (text: string) => string
}

/** Decides what a try that ended leaves of its job, and records and logs it. */
export class TryEnds {
  readonly #options: TryEndsOptions

  constructor(options: TryEndsOptions) {
    this.#options = options
  }

  /**
   * The job did what it is for.
   *
   * @returns the time of its next run, where it is to run once more
   */
  async done(job: StoredJob): Promise<number | undefined> {
    const { clock, leases } = this.#options
    const now = clock.now()
    return (await this.#record(() => leases.endTry(job, { state: 'done', now }))) ? now : undefined
  }

  /**
   * The job failed, or was aborted: it waits for its next try, or is dead.
   *
   * @param why.error What it threw.
   * @param why.reason Why it was aborted, if it was.
   * @returns the time of its next try, in milliseconds since 1970, where it is this process that plans one
   */
  async failed(
    job: StoredJob,
    kind: JobKind,
    { error, reason }: { readonly error: unknown; readonly reason: unknown },
  ): Promise<number | undefined> {
    const { clock, leases, logger, redact } = this.#options
    const now = clock.now()
    if (reason instanceof JobCancelledError || reason instanceof JobLeaseLostError) return undefined
    if (reason instanceof JobsStoppedError) {
      const attempt = job.attempt - 1
      await this.#record(() => leases.endTry(job, { state: 'waiting', runAt: now, attempt }))
      return undefined
    }
    const text = errorText(reason ?? error, redact)
    const about = {
      id: job.id,
      kind: job.kind,
      attempt: job.attempt,
      ...(job.request_id === null ? {} : { requestId: job.request_id }),
      error: text,
    }
    if (job.attempt >= kind.maxAttempts || error instanceof JobDataInvalidError) {
      logger.error('a job is dead', about)
      return (await this.#record(() => leases.endTry(job, { state: 'dead', now, error: text }))) ? now : undefined
    }
    logger.warn('a job failed and is tried again', about)
    const runAt = now + backOffDelay(kind, job.attempt)
    await this.#record(() => leases.endTry(job, { state: 'waiting', runAt, attempt: job.attempt, error: text }))
    return runAt
  }

  /** A job whose process is gone waits for its next try, or is dead when that was its last. */
  async abandoned(job: StoredJob, kind: JobKind | undefined, now: number): Promise<void> {
    const error = 'The process that ran it ended or stood still.'
    if (kind !== undefined && job.attempt >= kind.maxAttempts) {
      await this.#options.leases.endTry(job, { state: 'dead', now, error })
      this.#options.logger.error('a job is dead', { id: job.id, kind: job.kind, error })
    } else {
      await this.#options.leases.endTry(job, { state: 'waiting', runAt: now, attempt: job.attempt, error })
    }
  }

  /** Records how a try ended, patiently: while the database is away the lease keeps others from running it again. */
  async #record(write: () => Promise<boolean>): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      try {
        return await write()
      } catch (error) {
        this.#options.logger.warn('the end of a job could not be recorded', { tries, error: errorText(error) })
        if (tries >= TRIES_TO_RECORD) return false
      }
      await new Promise<void>(resume => this.#options.clock.schedule(100 * 2 ** tries, resume))
    }
  }
}
