import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { templateNames } from './scaffold-answers.ts'

const templates = fileURLToPath(new URL('../../../../templates/', import.meta.url))

/** Ends with what the tests of a template said, as Node's runner tells it. */
const runTests = (template: string): Promise<string> =>
  new Promise(resolve => {
    const args = ['--conditions=sibyl-source', '--test', '--test-isolation=none', '--test-reporter=tap']
    // Within the runner of this workspace, Node's would take itself for a part of another run.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    execFile(process.execPath, [...args, 'src/**/*.test.ts'], { cwd: templates + template, env }, (_error, stdout) =>
      resolve(stdout),
    )
  })

test.concurrent.each(templateNames)('the tests of the template %s pass', async template => {
  const report = await runTests(template)
  expect(report).toMatch(/^# pass [1-9]/m)
  expect(report, report).toMatch(/^# fail 0$/m)
})
