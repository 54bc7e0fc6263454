/** The policy for resuming an interrupted stream. */
export interface ReconnectPolicy {
  /** Tries without a single new event before it gives up. @default 20 */
  readonly tries: number
  /** Milliseconds before the first try; doubled for each further one. @default 200 */
  readonly firstDelayMs: number
  /** The longest pause between two tries in milliseconds. @default 2000 */
  readonly maxDelayMs: number
  /** Milliseconds without a byte after which a connection counts as lost; oracles ping every 15 s. @default 45000 */
  readonly idleTimeoutMs: number
}

/** The default policy: about half a minute of attempts. */
export const defaultReconnectPolicy: ReconnectPolicy = {
  tries: 20,
  firstDelayMs: 200,
  maxDelayMs: 2_000,
  idleTimeoutMs: 45_000,
}

/** Reported to the application when a connection was lost and will be retried. */
export interface Reconnecting {
  /** From 1; restarts after the stream has continued. */
  readonly attempt: number
  /** Milliseconds until the try. */
  readonly delayMs: number
  /** The cause of the lost connection. */
  readonly cause: unknown
}

/** The pause before a try, spread by up to a quarter so that clients do not return all at once. */
export const reconnectDelay = (policy: Pick<ReconnectPolicy, 'firstDelayMs' | 'maxDelayMs'>, attempt: number): number =>
  Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (attempt - 1)) * (1 - Math.random() / 4)

/** Waits, or rejects with the signal's reason. */
export const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
