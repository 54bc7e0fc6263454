import { storageErrors } from '../errors/storage-errors.ts'
import type { StorageLogger } from '../logging/logger.ts'
import type { Clock } from '../time/clock.ts'
import { errorText } from './error-text.ts'
import type { JobLeases } from './job-leases.ts'
import type { JobStore } from './job-store.ts'

/** The duration of a lease without a renewal; it is renewed three times as often. */
export const LEASE_MS = 30_000

interface KeptLease {
  readonly id: string
  readonly abort: AbortController
  /** Milliseconds since 1970. */
  until: number
}

/** Renews the leases of the jobs that this process runs or holds, and aborts those whose lease is lost. */
export class LeaseRenewal {
  readonly #store: JobStore
  readonly #leases: JobLeases
  readonly #clock: Required<Clock>
  readonly #logger: StorageLogger
  readonly #kept = new Map<string, KeptLease>()
  #stopped = false
  #forget: (() => void) | undefined

  constructor(options: {
    readonly store: JobStore
    readonly leases: JobLeases
    readonly clock: Required<Clock>
    readonly logger: StorageLogger
  }) {
    this.#store = options.store
    this.#leases = options.leases
    this.#clock = options.clock
    this.#logger = options.logger
  }

  /** Renews a lease until it is dropped. @param until milliseconds since 1970 */
  keep(id: string, abort: AbortController, until: number): void {
    this.#kept.set(id, { id, abort, until })
    this.#plan()
  }

  /** Renews a lease no more. */
  drop(id: string): void {
    this.#kept.delete(id)
    if (this.#kept.size === 0) this.#unplan()
  }

  /** Aborts a job that was cancelled, if this process has its lease. */
  cancelled(id: string): void {
    this.#kept.get(id)?.abort.abort(storageErrors.job_cancelled())
  }

  /** Ends renewing; what still runs keeps its lease until that runs out. */
  stop(): void {
    this.#stopped = true
    this.#unplan()
  }

  #plan(): void {
    if (this.#stopped || this.#kept.size === 0) return
    this.#forget ??= this.#clock.schedule(LEASE_MS / 3, () => {
      this.#forget = undefined
      void this.#renew()
    })
  }

  #unplan(): void {
    this.#forget?.()
    this.#forget = undefined
  }

  async #renew(): Promise<void> {
    const until = this.#clock.now() + LEASE_MS
    const kept = [...this.#kept.values()]
    try {
      const ours = await this.#leases.renew(
        kept.map(({ id }) => id),
        until,
      )
      for (const lease of kept) {
        if (ours.has(lease.id)) lease.until = until
        else if (this.#kept.has(lease.id)) await this.#lost(lease)
      }
    } catch (error) {
      this.#logger.warn('the leases of running jobs could not be renewed', { error: errorText(error) })
      const now = this.#clock.now()
      for (const { until: ranOut, abort } of kept) if (ranOut <= now) abort.abort(storageErrors.job_lease_lost())
    }
    this.#plan()
  }

  async #lost({ id, abort }: KeptLease): Promise<void> {
    const found = await this.#store.find(id)
    abort.abort(found?.state === 'cancelled' ? storageErrors.job_cancelled() : storageErrors.job_lease_lost())
  }
}
