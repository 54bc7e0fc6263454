import type { Fault } from '../frame/run-fault.ts'

/** Number of shown problems. */
const shown = 3

/** Reports the number of problems, which must be 0, and shows some of them. */
export const reportAll = (fault: Fault, name: string, lines: Iterable<string>): void => {
  const list = [...lines]
  fault.atMost(name, list.length, 0)
  for (const line of list.slice(0, shown)) fault.figure(`${name}, one`, line)
}
