import type { EnqueueOptions, JobKindOptions, Jobs } from '@sibyl/storage'
import { z } from 'zod'

/** One call of `deliver`. */
export interface DeliveryCall {
  /** The number of attempts since the last delivery, from 1. */
  readonly attempt: number
  /** Aborts when the time limit was exceeded, and when the process stops. */
  readonly signal: AbortSignal
}

/**
 * Result of `deliver`: `more` if something was delivered and more may be pending, `done` if nothing is pending, or the
 * time of the next call, in milliseconds since 1970.
 */
export type DeliveryResult = 'more' | 'done' | { readonly againAt: number }

/** Delivers the oldest pending messages of a key. It must recognize earlier deliveries; an error is retried. */
export type Deliver = (key: string, call: DeliveryCall) => Promise<DeliveryResult>

/** Options of `outbox`. */
export interface OutboxOptions extends JobKindOptions {
  /** Called when the last attempt for a key has failed, to record that in the rows of the plugin. */
  readonly onGivenUp?: (key: string, error: unknown) => Promise<void>
}

/** Messages of a plugin that are delivered at least once, in order for each key. */
export interface Outbox {
  /**
   * Requests a call of `deliver` for a key, after the transaction has committed. A key whose delivery failed keeps its
   * delay.
   */
  wake(key: string, options?: Pick<EnqueueOptions, 'tx'>): Promise<void>
}

const message = z.object({ key: z.string(), later: z.literal(true).optional() })

/**
 * Defines an outbox on durable jobs. The plugin stores its messages in its own table, and wakes their key in the same
 * transaction. Then one process at a time calls `deliver` for the key until nothing is pending. Failures are retried
 * with growing delays, 20 times by default; after that the key waits until it is woken again, and the job is among
 * `jobs.dead()`.
 *
 * @param name of the job: `<plugin>/<what>`
 * @throws `job_kind_taken`
 * @example const notices = outbox(host.jobs, 'ports/notices', async (port, { signal }) => {
 * const notice = await firstNotice(port)
 * if (!notice) return 'done'
 * await send(notice, signal)
 * await markSent(notice)
 * return 'more' }) await host.storage.write(async tx => {
 * await storeNotice(tx, notice)
 * await notices.wake(notice.port, { tx }) })
 */
export const outbox = (
  jobs: Pick<Jobs, 'define' | 'enqueue'>,
  name: string,
  deliver: Deliver,
  { onGivenUp, ...options }: OutboxOptions = {},
): Outbox => {
  const { maxAttempts = 20, timeLimitMs = 900_000 } = options
  const wake: Outbox['wake'] = async (key, given) => {
    await jobs.enqueue(name, { key }, { ...given, dedupeKey: `key ${key}`, again: true })
  }
  const wakeLater = async (key: string, at: number) => {
    await jobs.enqueue(name, { key, later: true }, { runAt: at, dedupeKey: `later ${at} ${key}` })
  }

  /** Delivers until nothing is pending, or half of the time limit has passed. */
  const deliverAll = async (key: string, { attempt, signal }: DeliveryCall): Promise<void> => {
    const endsAt = performance.now() + timeLimitMs / 2
    let tries = attempt
    try {
      for (;;) {
        signal.throwIfAborted()
        const result = await deliver(key, { attempt: tries, signal })
        if (result === 'done') return
        if (result !== 'more') return await wakeLater(key, result.againAt)
        tries = 1
        if (performance.now() > endsAt) return await wake(key)
      }
    } catch (error) {
      // Something was delivered, so attempts count from 1 again.
      if (tries < attempt && !signal.aborted) return await wake(key)
      if (attempt >= maxAttempts && !isStopped(signal)) await onGivenUp?.(key, error)
      throw error
    }
  }

  jobs.define(name, message, ({ key, later }, call) => (later ? wake(key) : deliverAll(key, call)), {
    concurrency: 8,
    ...options,
    purpose: 'outbox',
    maxAttempts,
  })
  return { wake }
}

/** Returns whether the process stops or has lost the job, which is not a failure. */
const isStopped = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && (reason as { code?: unknown } | undefined)?.code !== 'job_timeout'
