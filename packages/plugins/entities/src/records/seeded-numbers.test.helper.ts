/** A source of chance that gives the same sequence for the same seed: whole numbers from 0 to `below` - 1. */
export const seededNumbers = (seed: number): ((below: number) => number) => {
  let state = (seed * 2654435761 + 1) >>> 0 || 1
  return below => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % below
  }
}
