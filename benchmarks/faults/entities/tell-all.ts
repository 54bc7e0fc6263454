import type { Fault } from '../frame/run-fault.ts'

/** How many of them are shown. */
const shown = 3

/** Tells how many things are amiss, which must be none, and shows some of them. */
export const tellAll = (fault: Fault, name: string, lines: Iterable<string>): void => {
  const list = [...lines]
  fault.atMost(name, list.length, 0)
  for (const line of list.slice(0, shown)) fault.figure(`${name}, one`, line)
}
