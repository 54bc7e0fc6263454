import { createHash } from 'node:crypto'

/**
 * Draws names by a seed. A name that is added or removed changes at most one of the others that are drawn.
 *
 * @param count All of them if there are fewer.
 */
export const drawNames = (names: readonly string[], seed: string, count: number): string[] =>
  names
    .map(name => ({ name, rank: createHash('sha256').update(`${seed} ${name}`).digest('hex') }))
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name)
