import type { Plan } from './plan.ts'
import { runSeed, type SeedResult, type Trial } from './run-seed.ts'

/** Runs of a shortening at most. */
const maxRuns = 40

/** A failing run with as few processes, operations and disturbances as were found. */
export interface Shortened {
  readonly plan: Plan
  readonly result: SeedResult
}

/** Leaves out of a failing run what the violation of its invariant does not need. */
export const shorten = async (seed: number, trial: Trial, failing: Shortened): Promise<Shortened> => {
  const invariant = failing.result.violations[0]?.invariant
  let [shortest, runs] = [failing, 0]
  const isShorter = async (plan: Plan): Promise<boolean> => {
    if (runs++ >= maxRuns) return false
    const result = await runSeed(seed, trial, plan)
    if (result.violations[0]?.invariant !== invariant) return false
    shortest = { plan, result }
    return true
  }
  for (let isProgress = true; isProgress; ) {
    isProgress = false
    for (const kind of ['disturbances', 'operations'] as const) {
      for (let index = shortest.plan[kind].length - 1; index >= 0; index -= 1) {
        if (await isShorter({ ...shortest.plan, [kind]: shortest.plan[kind].toSpliced(index, 1) })) isProgress = true
      }
    }
  }
  const used = [...shortest.plan.operations, ...shortest.plan.disturbances].map(({ process }) => process)
  await isShorter({ ...shortest.plan, processes: Math.max(1, ...used.map(index => index + 1)) })
  return shortest
}
