import { median } from './processes.ts'

/** Returns the median of what each round measured as a share of what the same round measured of the other side. */
export const pairedRatio = (values: readonly number[], base: readonly number[]): number =>
  median(values.map((value, round) => value / (base[round] ?? Number.NaN)))
