import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspaceRoot } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { checkIssueForm } from './check-issue-form.ts'
import { checkWorkflow } from './check-workflow.ts'

const read = (path: string) => readFileSync(join(workspaceRoot, path), 'utf8')
const files = (pattern: string) => globSync(pattern, { cwd: workspaceRoot }).sort()

test.each(files('.github/workflows/*.yml'))('%s is valid', async file => {
  expect(await checkWorkflow(file, read(file))).toEqual([])
})

test.each(files('.github/ISSUE_TEMPLATE/*.yml').filter(file => !file.endsWith('config.yml')))('%s is valid', file => {
  expect(checkIssueForm(file, read(file))).toEqual([])
})

test('the workflows and forms are there', () => {
  expect(files('.github/workflows/*.yml')).toEqual(['.github/workflows/ci.yml', '.github/workflows/release.yml'])
  expect(files('.github/ISSUE_TEMPLATE/*.yml')).toHaveLength(4)
})

const workflow = (step: string) => `on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n    steps:\n      - ${step}\n`

test.each([
  ['uses: actions/checkout@v5', "does not pin 'actions/checkout@v5'"],
  ['run: echo ${{ nothing.here }}', 'undefined variable "nothing"'],
])('a workflow with %j is invalid', async (step, message) => {
  expect((await checkWorkflow('a.yml', workflow(step))).join('\n')).toContain(message)
})

test('an issue form with an unknown member or without a field is invalid', () => {
  const form = 'name: a\ndescription: b\nbody:\n  - type: markdown\n    attributes:\n      value: c\n'
  expect(checkIssueForm('a.yml', form)).toEqual(['a.yml: body has no field'])
  expect(checkIssueForm('a.yml', `${form}title: d\nassignee: e\n`)).not.toEqual([])
})

test('changesets give all packages one version', () => {
  const config = JSON.parse(read('.changeset/config.json'))
  expect(config.fixed).toEqual([['*', '@sibyl/*']])
  expect(config.privatePackages).toEqual({ version: true, tag: false })
})
