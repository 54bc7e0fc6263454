import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The members of vitest's JSON report that are read. */
interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

/**
 * Runs test files of a checkout in one process, at a low priority.
 *
 * @param options.bail Stops at the first failure.
 * @returns The tests that failed, each as `file › name`; undefined if the run had no end in time or crashed.
 */
export const runTests = async (
  root: string,
  files: readonly string[],
  options: { readonly bail: boolean; readonly timeoutMs: number },
): Promise<string[] | undefined> => {
  const output = join(root, '..', 'report.json')
  rmSync(output, { force: true })
  // A test that waits for what a broken defence never does fails sooner than in other runs.
  const limits = ['--testTimeout=30000', '--maxWorkers=1', '--tags-filter=!long', `--bail=${options.bail ? 1 : 0}`]
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...files, ...limits]
  const args = ['-n', '10', process.execPath, ...vitest, '--reporter=json', `--outputFile=${output}`]
  // In a process group of its own, so that processes of the tests end with it.
  const child = spawn('nice', args, { cwd: root, stdio: 'ignore', detached: true })
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), options.timeoutMs)
  await once(child, 'exit')
  clearTimeout(timer)
  return existsSync(output) ? readFailures(root, output) : undefined
}

const readFailures = (root: string, output: string): string[] => {
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Report
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter(test => test.status === 'failed')
    const names = failed.length > 0 || status !== 'failed' ? failed.map(test => test.fullName) : ['(the file)']
    return names.map(test => `${relative(root, name)} › ${test}`)
  })
}
