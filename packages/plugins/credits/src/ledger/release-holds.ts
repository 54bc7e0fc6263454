import { type CreditsStorage, decidedByRows } from './credits-tables.ts'
import { releaseTurn } from './settle-turn.ts'

/** After this long, nobody is believed to settle a turn any more, in milliseconds. One that does pays without its hold. */
export const holdKeptMs = 900_000

/** Holds given back in one write. */
const perWrite = 100

/**
 * Gives back what is held for turns that vanished between their hold and their beginning.
 *
 * @param now milliseconds since 1970
 * @returns how many there were
 */
export const releaseHolds = async (storage: CreditsStorage, now: number, signal?: AbortSignal): Promise<number> => {
  let released = 0
  while (!signal?.aborted) {
    const rows = await storage.read
      .selectFrom('credits_holds')
      .select('turn')
      .where('at', '<', now - holdKeptMs)
      .limit(perWrite)
      .execute()
    if (rows.length === 0) break
    released += await storage.write(async tx => {
      let count = 0
      for (const { turn } of rows) if (await releaseTurn(tx, turn, now)) count += 1
      return count
    }, decidedByRows)
  }
  return released
}
