import { JobCancelledError, JobLeaseLostError } from '../errors/job-errors.ts'
import type { StorageLogger } from '../logging/logger.ts'
import type { Clock } from '../time/clock.ts'
import { errorText } from './error-text.ts'
import type { JobLeases } from './job-leases.ts'
import type { JobStore, StoredJob } from './job-store.ts'

/** The duration of a lease without a renewal; it is renewed three times as often. */
export const LEASE_MS = 30_000

/** A job that runs here now. */
export interface RunningJob {
  readonly job: StoredJob
  readonly abort: AbortController
  /** Resolves when its end is recorded. */
  readonly ended: Promise<void>
  /** Milliseconds since 1970. */
  leaseUntil: number
}

/** Renews the leases of the jobs that run here, and aborts those that are ours no more. */
export class LeaseKeeper {
  readonly #store: JobStore
  readonly #leases: JobLeases
  readonly #clock: Required<Clock>
  readonly #logger: StorageLogger
  readonly #running: ReadonlyMap<string, RunningJob>
  #wanted = false
  #forget: (() => void) | undefined

  constructor(options: {
    readonly store: JobStore
    readonly leases: JobLeases
    readonly clock: Required<Clock>
    readonly logger: StorageLogger
    readonly running: ReadonlyMap<string, RunningJob>
  }) {
    this.#store = options.store
    this.#leases = options.leases
    this.#clock = options.clock
    this.#logger = options.logger
    this.#running = options.running
  }

  /** Begins to renew, if it does not yet. */
  start(): void {
    this.#wanted = true
    this.#forget ??= this.#clock.schedule(LEASE_MS / 3, () => {
      this.#forget = undefined
      void this.#renew()
    })
  }

  /** Ends renewing; what still runs keeps its lease until that runs out. */
  stop(): void {
    this.#wanted = false
    this.#forget?.()
    this.#forget = undefined
  }

  async #renew(): Promise<void> {
    const leaseUntil = this.#clock.now() + LEASE_MS
    const running = [...this.#running.values()]
    try {
      const ids = running.map(({ job }) => job.id)
      const held = await this.#leases.renew(ids, leaseUntil)
      for (const entry of running) {
        if (held.has(entry.job.id)) entry.leaseUntil = leaseUntil
        else if (this.#running.has(entry.job.id)) await this.#lost(entry)
      }
    } catch (error) {
      this.#logger.warn('the leases of running jobs could not be renewed', { error: errorText(error) })
      const now = this.#clock.now()
      for (const { leaseUntil: until, abort } of running) if (until <= now) abort.abort(new JobLeaseLostError())
    }
    if (this.#wanted && this.#running.size > 0) this.start()
  }

  async #lost({ job, abort }: RunningJob): Promise<void> {
    const found = await this.#store.find(job.id)
    abort.abort(found?.state === 'cancelled' ? new JobCancelledError() : new JobLeaseLostError())
  }
}
