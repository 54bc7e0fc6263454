import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** The limit of one number. `decision`: the page in `docs/decisions` that gives the reason for raising it. */
const limitSchema = z.union([z.number(), z.strictObject({ limit: z.number(), decision: z.string() })])
const budgetSchema = z.record(z.string(), z.record(z.string(), limitSchema))

/** Limits by group and name, as in `Measurements`. */
export type Budget = z.infer<typeof budgetSchema>
export type Limit = z.infer<typeof limitSchema>

const budgetFile = 'tooling/budget.json'

/** Reads the budget of a checkout. */
export const readBudget = (root: string): Budget =>
  budgetSchema.parse(JSON.parse(readFileSync(join(root, budgetFile), 'utf8')))

export const writeBudget = (root: string, budget: Budget): void =>
  writeFileSync(join(root, budgetFile), `${JSON.stringify(budget, null, 2)}\n`)

/** Returns the number of a limit. */
export const numberOf = (limit: Limit): number => (typeof limit === 'number' ? limit : limit.limit)

/**
 * Reads the committed versions of the budget, the newest first.
 *
 * @returns None in a folder without its Git history.
 */
export const readEarlierBudgets = (root: string): Budget[] => {
  const git = (args: readonly string[], input = ''): string =>
    execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      input,
      stdio: ['pipe', 'pipe', 'ignore'],
      maxBuffer: 1 << 28,
    })
  try {
    const revisions = git(['rev-list', 'HEAD', '--', budgetFile]).split('\n').filter(Boolean)
    const names = revisions.map(revision => `${revision}:${budgetFile}\n`).join('')
    const texts = git(['cat-file', '--batch=%(objectname)'], names).split(/^[0-9a-f]{40,}$/m)
    return texts.slice(1).map(text => budgetSchema.parse(JSON.parse(text)))
  } catch {
    return []
  }
}
