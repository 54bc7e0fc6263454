import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../main.ts'
import { folderWith } from '../../project/project-folder.test.helper.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'

const checkout = join(import.meta.dirname, '../../../../..')
const template = join(checkout, 'templates/minimal/src')

/** What a child process needs to be the same Node as this one. */
export const nodeEnv = (): Record<string, string> => {
  const { PATH = '', NODE_OPTIONS = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, NODE_OPTIONS, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) }
}

/** Node loads the packages itself, with its compile cache, as if they were installed. */
const vitestConfig = `export default {
  test: {
    include: ['src/**/*.test.ts'],
    server: { deps: { external: [/\\/(packages|plugins|adapters)\\/[^/]+\\/dist\\//] } },
    isolate: false,
    maxWorkers: 1,
    testTimeout: 60_000,
  },
}
`

/** A project as `sibyl new` makes it, with these files besides, in which the packages of this checkout are installed. */
export const oracleProject = (files: Readonly<Record<string, string>> = {}) => {
  const folder = folderWith({
    'oracle.config.json': '{"name":"Field Oracle"}',
    'package.json': '{"type":"module","dependencies":{"zod":"4"}}',
    'vitest.config.mjs': vitestConfig,
    'src/main.ts': readFileSync(join(template, 'main.ts'), 'utf8'),
    'src/config.ts': readFileSync(join(template, 'config.ts'), 'utf8'),
    ...files,
  })
  mkdirSync(join(folder, 'node_modules'))
  const installed = join(checkout, 'templates/minimal/node_modules')
  for (const name of ['@sibyl', 'vitest', 'zod']) symlinkSync(join(installed, name), join(folder, 'node_modules', name))
  return {
    folder,
    /** Runs the command in a folder of the project. */
    async sibyl(args: readonly string[], { env = {}, columns = 80, isTTY = false, cwd = folder } = {}) {
      const terminal = new FakeTerminal({ ...nodeEnv(), ...env }, isTTY, columns, cwd)
      const code = await run(args, terminal.io)
      return { code, text: terminal.text, errors: terminal.errors }
    },
    /** Runs the project's own tests. */
    test: () =>
      new Promise<{ readonly passed: boolean; readonly output: string }>(resolve => {
        execFile(
          process.execPath,
          ['node_modules/vitest/vitest.mjs', 'run'],
          { cwd: folder, env: nodeEnv() },
          (error, stdout, stderr) => resolve({ passed: error === null, output: stdout + stderr }),
        )
      }),
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
  }
}
