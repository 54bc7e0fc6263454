import { MatrixBusy } from '../matrix-errors.ts'

/** The longest pause between two tries, in milliseconds. */
const longestMs = 60_000
/** The shortest and the longest pause for something that fails in one room alone, in milliseconds. */
const inRoom = { leastMs: 1_000, mostMs: 900_000 }
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

/**
 * How long a room is left alone that takes nothing while others do: a quarter of the time that its message has waited.
 *
 * @param waitedMs In milliseconds, as the pause.
 */
export const roomPauseMs = (waitedMs: number, chance: () => number = Math.random): number =>
  Math.min(inRoom.mostMs, Math.max(inRoom.leastMs, waitedMs / 4)) * (0.75 + chance() / 2)
