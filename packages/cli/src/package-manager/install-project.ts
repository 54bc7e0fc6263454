import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isObject, parseJson } from '@sibyl/protocol'
import { cliErrors } from '../errors/cli-errors.ts'
import { codeOf } from '../errors/code-of.ts'
import { cleanLine } from '../output/clean-text.ts'
import type { CommandIo } from '../process/command-io.ts'
import { findUpward } from '../process/find-upward.ts'
import type { PackageManager } from './detect-package-manager.ts'

/** Characters of the end of its output that are kept. */
const keptOutput = 4_000

/**
 * Installs the dependencies of a project, those for development too: the next command needs them.
 *
 * @param signal Cancels it.
 * @throws `install_failed`
 */
export const installProject = async (
  folder: string,
  manager: PackageManager,
  env: CommandIo['env'],
  signal: AbortSignal,
): Promise<void> => {
  const args = await installArguments(folder, manager)
  const remedy = `The project was written. To try again: ${manager} ${args.join(' ')}`
  const { code, output } = await runManager(args, { folder, manager, env, signal }).catch(cause => {
    if (codeOf(cause) === 'ENOENT') {
      throw cliErrors.install_failed(`${manager} is not installed.`, remedy, { cause })
    }
    throw cause
  })
  if (code === 0) return
  throw cliErrors.install_failed(`${manager} install failed: ${significantLine(output)}`, remedy)
}

interface ManagerContext {
  readonly folder: string
  readonly manager: PackageManager
  readonly env: CommandIo['env']
  /** Cancels it. */
  readonly signal: AbortSignal
}

/** Runs a package manager in a project, for development; returns its exit code and the end of its output. */
export const runManager = async (
  args: readonly string[],
  { folder, manager, env, signal }: ManagerContext,
): Promise<{ readonly code: number | null; readonly output: string }> => {
  const child = spawn(manager, args, {
    cwd: folder,
    env: { ...env, NODE_ENV: 'development' },
    signal,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-keptOutput)
    })
  }
  const [code] = await once(child, 'close')
  return { code, output }
}

/** Returns the most informative line of the output: the first error among the last lines, otherwise the last line. */
const significantLine = (output: string): string => {
  const lines = output.split('\n').map(cleanLine).filter(Boolean)
  const error = lines.find(line => /\berr(or)?\b/i.test(line) && !/debug log|complete log/i.test(line))
  return error ?? lines.at(-1) ?? 'it had no output'
}

/**
 * Returns the arguments of a package manager to install a project. Below an npm workspace, npm would install the whole
 * workspace without `vendor/` of the project; others detect a separate project by its files.
 *
 * @param folder That of the project, absolute.
 */
export const installArguments = async (folder: string, manager: PackageManager): Promise<readonly string[]> =>
  manager === 'npm' && (await isBelowWorkspace(dirname(folder))) ? ['install', '--no-workspaces'] : ['install']

const isBelowWorkspace = async (folder: string): Promise<boolean> =>
  (await findUpward(folder, async one => {
    const manifest = parseJson(await readFile(join(one, 'package.json'), 'utf8').catch(() => ''))
    return (isObject(manifest) && 'workspaces' in manifest) || undefined
  })) ?? false
