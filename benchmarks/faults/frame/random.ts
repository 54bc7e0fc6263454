/** Random numbers that a seed repeats, so that a run that failed can be run again. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  integer(least: number, max: number): number
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T
  bytes(length: number): Uint8Array
}

/** @param seed a whole number; only its lowest 32 bits count */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (least: number, max: number) => least + Math.floor(next() * (max - least + 1))
  return {
    next,
    integer,
    pick: list => list[integer(0, list.length - 1)]!,
    bytes: length => Uint8Array.from({ length }, () => integer(0, 255)),
  }
}
