import type { Fault } from './run-fault.ts'
import { startOracle } from './start-oracle.ts'

/** Figures of a trial by name: what was tried, and each violation of a rule. */
export interface TrialFigures {
  readonly tried: Readonly<Record<string, number>>
  readonly violations: Readonly<Record<string, readonly string[]>>
}

const shown = 5

/**
 * Runs a trial in a process without the defences to take out, and reports its figures: no rule may have a violation.
 *
 * @param file Path from `benchmarks/faults`: a file that ends with `reportTrial`.
 */
export const runTrial = async (script: Fault, file: string, args: readonly string[] = []): Promise<void> => {
  const started = performance.now()
  const figures = await trialResult<TrialFigures>(script, file, args)
  for (const [name, count] of Object.entries(figures.tried)) script.atLeast(name, count, 1)
  for (const [name, found] of Object.entries(figures.violations)) {
    script.atMost(name, found.length, 0)
    for (const one of found.slice(0, shown)) script.figure('found', one.slice(0, 300))
  }
  script.figure('seconds', Math.round((performance.now() - started) / 1000))
}

/** Returns what a trial in another process reports as its result. */
export const trialResult = async <Result>(script: Fault, file: string, args: readonly string[]): Promise<Result> => {
  const { promise, resolve } = Promise.withResolvers<Result>()
  await using oracle = await startOracle({
    file,
    args,
    without: script.without,
    onReport(reported) {
      if ('result' in reported) resolve(reported.result as Result)
    },
  })
  const early = new Promise<never>((_, reject) => {
    oracle.child.once('exit', () => setImmediate(() => reject(new Error(oracle.said.join('\n')))))
  })
  early.catch(() => {})
  return await Promise.race([promise, early])
}
