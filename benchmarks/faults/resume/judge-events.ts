import type { WireEvent } from '../frame/cut-stream.ts'

/** Problems of the events that a client assembled. */
export interface EventFaults {
  readonly gaps: number
  readonly repeats: number
  /** Events that are not those of the whole turn. */
  readonly different: number
}

/** Compares events put together from several connections with those of the whole turn. */
export const judgeEvents = (got: readonly WireEvent[], whole: readonly WireEvent[]): EventFaults => {
  const known = new Map(whole.map(({ id, data }) => [id, data]))
  const ids = new Set(got.map(({ id }) => id))
  return {
    gaps: whole.filter(({ id }) => !ids.has(id)).length,
    repeats: got.length - ids.size,
    different: got.filter(({ id, data }, index) => known.get(id) !== data || (whole[index]?.id ?? id) !== id).length,
  }
}
