import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { listFiles } from './list-files.ts'
import { templateNames } from './scaffold-answers.ts'

const templates = fileURLToPath(new URL('../../../../templates/', import.meta.url))

const onNode22 = process.versions.node.startsWith('22.')

/** Runs test files as a project does, all in one process; ends with what Node's runner said of them. */
const runTests = (files: readonly string[]): Promise<string> =>
  new Promise(resolve => {
    const isolation = onNode22 ? '--experimental-test-isolation=none' : '--test-isolation=none'
    const args = ['--conditions=sibyl-source', '--test', isolation, '--test-reporter=tap']
    // Else it would take itself for a part of another run.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    execFile(process.execPath, [...args, ...files], { cwd: templates, env }, (_error, stdout) => resolve(stdout))
  })

test('the tests of every template pass', async () => {
  const files = await listFiles(templates, ['*/src/**/*.test.ts'])
  for (const name of templateNames) expect(files.filter(file => file.startsWith(`${name}/`))).not.toEqual([])
  const report = await runTests(files)
  const passed = Number(/^# pass (\d+)$/m.exec(report)?.[1])
  expect(passed, report).toBeGreaterThanOrEqual(files.length)
  expect(report, report).toMatch(/^# fail 0$/m)
})
