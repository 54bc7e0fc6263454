import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { CommandIo } from '../../command-io.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { PackageManager } from '../scaffold-answers.ts'
import { installArguments } from './install-arguments.ts'

/** How much of the end of its output is kept, in characters. */
const keptOutput = 4_000

/**
 * Installs what a project needs.
 *
 * @param signal Ends it.
 * @throws `install_failed`
 */
export const installProject = async (
  folder: string,
  manager: PackageManager,
  env: CommandIo['env'],
  signal: AbortSignal,
): Promise<void> => {
  const args = await installArguments(folder, manager)
  const remedy = `The project is written. Try again: ${manager} ${args.join(' ')}`
  const shell = process.platform === 'win32'
  const child = spawn(manager, args, { cwd: folder, env, signal, shell, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-keptOutput)
    })
  }
  const [code] = await once(child, 'close').catch(cause => {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') {
      throw cliErrors.install_failed(`${manager} is not on this computer.`, remedy, { cause })
    }
    throw cause
  })
  if (code === 0) return
  throw cliErrors.install_failed(`${manager} install failed: ${tellingLine(output)}`, remedy)
}

/** The line of its output that says most: the first error among the last lines, else the last line. */
const tellingLine = (output: string): string => {
  const lines = output.split('\n').map(cleanLine).filter(Boolean)
  const error = lines.find(line => /\berr(or)?\b/i.test(line) && !/debug log|complete log/i.test(line))
  return error ?? lines.at(-1) ?? 'it said nothing'
}
