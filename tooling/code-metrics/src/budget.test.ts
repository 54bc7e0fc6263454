import type { WorkspacePackage } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import type { Budget } from './budget.ts'
import { budgetProblems } from './budget-problems.ts'
import { checkRaises, compareBudget, lowerBudget } from './compare-budget.ts'
import { measureSources } from './measure-sources.ts'
import { measureWorkspace } from './measure-workspace.ts'

test('every number of the workspace is within its budget', () => {
  expect(budgetProblems(measureWorkspace())).toEqual([])
})

/** The sources of a small workspace, with some files changed. */
const workspace = (changed: Readonly<Record<string, string>> = {}): WorkspacePackage[] => {
  const files = {
    'src/index.ts': "export { type A, b } from './b/b.ts'\nexport * from './c/c.ts'\n",
    'src/b/b.ts': "import { c } from '../c/c.ts'\nexport type A = string\nexport const b = c\n",
    'src/c/c.ts': 'export const c = 1\n',
    'src/b/b.test.ts': 'const lines =\n  1\n',
    'src/testing/fake.ts': 'export const fake = 1\n',
    ...changed,
  }
  return [
    {
      folder: 'packages/core',
      manifest: { name: '@sibyl/core', exports: { '.': entry('index'), './c': entry('c/c') } },
      files: Object.entries(files).map(([path, text]) => ({ path, text })),
    },
  ]
}
const entry = (path: string) => ({ 'sibyl-source': `./src/${path}.ts` })

const problemsOf = (changed: Readonly<Record<string, string>>) =>
  compareBudget(measureSources(workspace(changed)), measureSources(workspace()))

test('measures lines, exports, cycles of folders and long files without tests', () => {
  expect(measureSources(workspace({ 'src/long.ts': 'x\n'.repeat(301) }))).toEqual({
    lines: { 'packages/core': 307 },
    'folders in import cycles': {},
    exports: { 'packages/core': 3, 'packages/core/c': 1 },
    'lines of a file': { 'every other file': 300, 'packages/core/src/long.ts': 301 },
  })
})

test('a line too many, a cycle of folders, an export and a long file fail by name', () => {
  expect(problemsOf({})).toEqual([])
  expect(problemsOf({ 'src/c/c.ts': 'export const c =\n  1\n' })).toEqual([
    expect.stringMatching(/^lines \/ packages\/core is 7, and its budget is 6\. /),
  ])
  expect(problemsOf({ 'src/c/c.ts': "export const c: import('../b/b.ts').A = ''\n" })).toEqual([
    expect.stringMatching(/^folders in import cycles \/ packages\/core is 2 and has no budget\. /),
  ])
  expect(problemsOf({ 'src/c/c.ts': 'export const c = 1, d = 2\n' })).toEqual([
    expect.stringMatching(/^exports \/ packages\/core is 4, and its budget is 3\. /),
    expect.stringMatching(/^exports \/ packages\/core\/c is 2, and its budget is 1\. /),
  ])
  expect(problemsOf({ 'src/c/c.test.ts': 'x\n'.repeat(301), 'scripts/long.mjs': 'x\n'.repeat(301) })).toEqual([
    expect.stringMatching(/^lines of a file \/ packages\/core\/scripts\/long\.mjs is 301 and has no budget\. /),
  ])
})

test('a budget with 5 % to spare, and one that is not needed, are to be lowered by name', () => {
  const measured = { lines: { core: 95, cli: 96, storage: 10 } }
  const budget: Budget = { lines: { core: 100, cli: 100, storage: { limit: 11, decision: 'page' }, gone: 5 } }
  expect(compareBudget(measured, budget)).toEqual([
    'lines / core is 95, and its budget is 100. Lower it: npx -y pnpm@12 check --budget --lower',
    'lines / storage is 10, and its budget is 11. Lower it: npx -y pnpm@12 check --budget --lower',
    'lines / gone no longer needs its budget. Lower it: npx -y pnpm@12 check --budget --lower',
  ])
  expect(lowerBudget(measured, budget)).toEqual({ lines: { core: 95, cli: 96, storage: 10 } })
})

test('a raised or added budget needs a decision page with its name and number', () => {
  const earlier: Budget[] = [{ lines: { core: 1200 } }, { lines: { core: 1100, cli: 5 } }]
  const pages: Record<string, string> = { 'docs/decisions/page.md': 'The budget of core is 1,150 lines.' }
  const raisesOf = (budget: Budget) => checkRaises(budget, earlier, path => pages[path])
  expect(raisesOf({ lines: { core: 1100, cli: 4 } })).toEqual([])
  expect(raisesOf({ lines: { core: 1150 } })).toEqual([expect.stringMatching(/^lines \/ core was raised to 1150\. /)])
  expect(raisesOf({ lines: { added: 1 } })).toEqual([expect.stringMatching(/^lines \/ added was raised to 1\. /)])
  expect(raisesOf({ lines: { core: { limit: 1150, decision: 'docs/decisions/page.md' } } })).toEqual([])
  expect(raisesOf({ lines: { core: { limit: 1160, decision: 'docs/decisions/page.md' } } })).toHaveLength(1)
  expect(raisesOf({ lines: { core: { limit: 1150, decision: 'docs/decisions/other.md' } } })).toHaveLength(1)
  expect(checkRaises({ lines: { core: 5 } }, [], () => undefined)).toEqual([])
  const raised: Budget[] = [{ lines: { core: { limit: 1150, decision: 'docs/decisions/page.md' } } }, ...earlier]
  expect(checkRaises({ lines: { core: 1120 } }, raised, () => undefined)).toEqual([])
  expect(checkRaises({ lines: { core: 1151 } }, raised, () => undefined)).toHaveLength(1)
})
