/** How the pause between two tries grows. */
export interface BackOff {
  readonly backOffMs: number
  readonly maxBackOffMs: number
}

/**
 * The pause before the next try: doubled after each, at most the maximum, with up to a quarter of it added by chance so
 * that jobs that failed together do not come back together.
 *
 * @param attempt the number of the try that failed, from 1
 * @param chance from 0 to 1
 */
export const backOffDelay = ({ backOffMs, maxBackOffMs }: BackOff, attempt: number, chance = Math.random()): number => {
  const pause = Math.min(backOffMs * 2 ** (attempt - 1), maxBackOffMs)
  return Math.round(pause * (1 + chance / 4))
}
