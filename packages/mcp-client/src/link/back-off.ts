import { setTimeout as wait } from 'node:timers/promises'

/**
 * Returns the delay before the next attempt, in milliseconds: 1 s doubling to 60 s, a fifth of it random. @param
 * attempt from 0
 */
export const defaultBackOff = (attempt: number): number =>
  Math.min(1_000 * 2 ** attempt, 60_000) * (0.9 + Math.random() * 0.2)

/** Waits so many milliseconds, or until the signal aborts; never rejects, and keeps no process alive. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  wait(ms, undefined, { ref: false, ...(signal ? { signal } : {}) }).catch(() => {})
