import type { EnqueueOptions, JobKindOptions, Jobs } from '@sibyl/storage'
import { z } from 'zod'

/** One call of `deliver`. */
export interface DeliveryCall {
  /** How often it was tried since something was last delivered, from 1. */
  readonly attempt: number
  /** Aborts when the time limit was exceeded, and when the process stops. */
  readonly signal: AbortSignal
}

/**
 * Result of `deliver`: `more` where something was delivered and more may wait, `done` where nothing waits any more, or when to
 * call again, in milliseconds since 1970.
 */
export type DeliveryResult = 'more' | 'done' | { readonly againAt: number }

/** Delivers what waits first under a key. It must recognize what was delivered before; an error is tried again. */
export type Deliver = (key: string, call: DeliveryCall) => Promise<DeliveryResult>

/** Options of `outbox`. */
export interface OutboxOptions extends JobKindOptions {
  /** Called when the last attempt for a key has failed, to note that in the plugin's own rows. */
  readonly onGivenUp?: (key: string, error: unknown) => Promise<void>
}

/** Messages of a plugin that are delivered at least once, those under one key in order. */
export interface Outbox {
  /**
   * Has `deliver` called for a key, after the transaction has committed. A key whose delivery failed keeps its delay.
   */
  wake(key: string, options?: Pick<EnqueueOptions, 'tx'>): Promise<void>
}

const message = z.object({ key: z.string(), later: z.literal(true).optional() })

/**
 * Defines an outbox on durable jobs. The plugin keeps its messages in a table of its own, and wakes their key in the transaction
 * that stores them. Then one process at a time calls `deliver` for the key until nothing waits. What fails is tried again with
 * growing delays, 20 times by default; after that the key is left until it is woken again, and the job is among `jobs.dead()`.
 *
 * @param name of the job: `<plugin>/<what>`
 * @throws `job_kind_taken`
 * @example
 * const notices = outbox(host.jobs, 'ports/notices', async (port, { signal }) => {
 *   const notice = await firstNotice(port)
 *   if (!notice) return 'done'
 *   await send(notice, signal)
 *   await markSent(notice)
 *   return 'more'
 * })
 * await host.storage.write(async tx => {
 *   await storeNotice(tx, notice)
 *   await notices.wake(notice.port, { tx })
 * })
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

  /** Delivers until nothing waits, or half of the time is over. */
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
    maxAttempts,
  })
  return { wake }
}

/** The process stops or lost the job, which is no failure of it. */
const isStopped = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && (reason as { code?: unknown } | undefined)?.code !== 'job_timeout'
