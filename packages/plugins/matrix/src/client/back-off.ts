import { MatrixBusy } from '../matrix-errors.ts'

/** The longest pause between two tries, in milliseconds. */
const longestMs = 60_000
/** The longest pause that a homeserver may ask for, in milliseconds. */
const longestAskedMs = 300_000

/**
 * How long to wait after a failure: what the homeserver asks for, or twice as long each time, with a part by chance.
 *
 * @param failures How many there were in a row, from 1.
 * @returns milliseconds
 */
export const backOffMs = (error: unknown, failures: number, chance: () => number = Math.random): number => {
  if (error instanceof MatrixBusy)
    return Math.min(longestAskedMs, Math.max(250, error.retryAfterMs)) + chance() * 250 * failures
  const growing = Math.min(longestMs, 500 * 2 ** Math.min(failures - 1, 10))
  return growing * (0.5 + chance() / 2)
}
