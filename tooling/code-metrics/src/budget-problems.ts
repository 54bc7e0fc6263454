import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspaceRoot } from '@sibyl/tooling-source'
import { readBudget, readEarlierBudgets } from './budget.ts'
import { checkRaises, compareBudget } from './compare-budget.ts'
import type { Measurements } from './measurements.ts'

/** Compares measured numbers with the budget of this checkout; returns a sentence for each problem. */
export const budgetProblems = (measured: Measurements): string[] => {
  const budget = readBudget(workspaceRoot)
  const readPage = (path: string): string | undefined => {
    const file = join(workspaceRoot, path)
    return path.startsWith('docs/decisions/') && existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }
  return [...compareBudget(measured, budget), ...checkRaises(budget, readEarlierBudgets(workspaceRoot), readPage)]
}
