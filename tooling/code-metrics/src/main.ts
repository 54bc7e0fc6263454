// Prints each number of the budget, its limit and what is left. `--lower` lowers limits that have something to spare.
import { styleText } from 'node:util'
import { workspaceRoot } from '@sibyl/tooling-source'
import { readBudget, writeBudget } from './budget.ts'
import { budgetProblems } from './budget-problems.ts'
import { budgetRows, lowerBudget } from './compare-budget.ts'
import { measureWorkspace } from './measure-workspace.ts'

const measured = measureWorkspace()
if (process.argv.includes('--lower')) writeBudget(workspaceRoot, lowerBudget(measured, readBudget(workspaceRoot)))

const rows = budgetRows(measured, readBudget(workspaceRoot))
const width = Math.max(...rows.map(({ name }) => name.length))
for (const [group, of] of Map.groupBy(rows, row => row.group)) {
  console.log(`\n${styleText('bold', `${group.padEnd(width)}      number      budget        left`)}`)
  for (const { name, number, limit = 0 } of of) {
    const left = Math.round((limit - number) * 10) / 10
    const cells = [number, limit, left].map(value => value.toLocaleString('en').padStart(12))
    const line = `${name.padEnd(width)}${cells.join('')}`
    console.log(left < 0 ? styleText('red', line) : line)
  }
}
const problems = budgetProblems(measured)
console.log(problems.length === 0 ? '\nEvery number is within its budget.' : `\n${problems.join('\n')}`)
if (problems.length > 0) process.exitCode = 1
