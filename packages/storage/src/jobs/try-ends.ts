import { storageErrors } from '../errors/storage-errors.ts'
import type { StorageLogger } from '../logging/logger.ts'
import type { Clock } from '../time/clock.ts'
import { errorText, jobFailure } from './error-text.ts'
import type { JobKind } from './job-kind.ts'
import type { JobLeases } from './job-leases.ts'
import type { StoredJob } from './job-store.ts'

const TRIES_TO_RECORD = 6

/**
 * The pause before the next try: doubled after each, at most the maximum, with up to a quarter of it added by chance so
 * that jobs that failed together do not come back together.
 *
 * @param attempt the number of the try that failed, from 1
 * @param chance from 0 to 1
 */
export const backOffDelay = (
  { backOffMs, maxBackOffMs }: Pick<JobKind, 'backOffMs' | 'maxBackOffMs'>,
  attempt: number,
  chance = Math.random(),
): number => {
  const pause = Math.min(backOffMs * 2 ** (attempt - 1), maxBackOffMs)
  return Math.round(pause * (1 + chance / 4))
}

export const createTryEnds = (
  leases: JobLeases,
  clock: Required<Clock>,
  logger: StorageLogger,
  redact: (text: string) => string,
) => {
  /** Records how a try ended, patiently: while the database is away the lease keeps others from running it again. */
  const record = async (write: () => ReturnType<JobLeases['endTry']>): ReturnType<JobLeases['endTry']> => {
    for (let tries = 1; ; tries++) {
      try {
        return await write()
      } catch (error) {
        logger.warn('the end of a job could not be recorded', { tries, error: errorText(error) })
        if (tries >= TRIES_TO_RECORD) return undefined
      }
      await new Promise<void>(resume => clock.schedule(100 * 2 ** tries, resume))
    }
  }
  return {
    /**
     * Records a success.
     *
     * @returns the time of its next run, if it runs again
     */
    async done(job: StoredJob): Promise<number | undefined> {
      const now = clock.now()
      const state = await record(() => leases.endTry(job, { state: 'done', now }))
      return state === 'waiting' ? now : undefined
    },
    /**
     * Records a failure or abort: the job waits for its next attempt, or is `dead`.
     *
     * @param why.error The thrown error.
     * @param why.reason The reason of an abort.
     * @returns the time of its next attempt, in milliseconds since 1970, if this process plans it
     */
    async failed(
      job: StoredJob,
      kind: JobKind,
      { error, reason }: { readonly error: unknown; readonly reason: unknown },
    ): Promise<number | undefined> {
      const now = clock.now()
      if (storageErrors.job_cancelled.is(reason) || storageErrors.job_lease_lost.is(reason)) return undefined
      if (storageErrors.jobs_stopped.is(reason)) {
        const attempt = job.attempt - 1
        await record(() => leases.endTry(job, { state: 'waiting', runAt: now, attempt }))
        return undefined
      }
      const failure = jobFailure(reason ?? error, redact)
      const about = {
        id: job.id,
        kind: job.kind,
        attempt: job.attempt,
        ...(job.request_id === null ? {} : { requestId: job.request_id }),
        error: failure.text,
      }
      if (job.attempt >= kind.maxAttempts || storageErrors.job_data_invalid.is(error)) {
        logger.error('a job failed permanently', about)
        const state = await record(() => leases.endTry(job, { state: 'dead', now, failure }))
        return state === 'waiting' ? now : undefined
      }
      logger.warn('a job failed and is retried', about)
      const runAt = now + backOffDelay(kind, job.attempt)
      await record(() => leases.endTry(job, { state: 'waiting', runAt, attempt: job.attempt, failure }))
      return runAt
    },
    /** Handles a job whose process is gone: it waits for its next attempt, or is `dead` after the last one. */
    async abandoned(job: StoredJob, kind: JobKind | undefined, now: number): Promise<void> {
      const failure = { text: 'The process that ran it exited or stalled.', code: 'process_gone' }
      if (kind !== undefined && job.attempt >= kind.maxAttempts) {
        if (!(await leases.endTry(job, { state: 'dead', now, failure }, job))) return
        logger.error('a job failed permanently', { id: job.id, kind: job.kind, error: failure.text })
      } else {
        await leases.endTry(job, { state: 'waiting', runAt: now, attempt: job.attempt, failure }, job)
      }
    },
  }
}

/** Decides what a try that ended leaves of its job, and records and logs it. */
export type TryEnds = ReturnType<typeof createTryEnds>
