import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { workspaceRoot } from '@sibyl/tooling-source'
import type { CommandHelp } from './cli-page.ts'

const run = promisify(execFile)
const bin = join(workspaceRoot, 'packages/cli/src/bin.ts')

/** Asks a command itself for help, and each of its commands, in a process of its own. */
export const commandHelp = async (path: readonly string[] = []): Promise<CommandHelp[]> => {
  const help = await helpOf(path)
  const listed = help.split('\n\n').filter(section => /^Commands.*:$/m.test(section))
  const names = [...listed.join('\n').matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name)
  const below = await Promise.all(names.map(name => commandHelp([...path, name])))
  return [{ command: ['sibyl', ...path].join(' '), help }, ...below.flat()]
}

const helpOf = async (command: readonly string[]): Promise<string> => {
  const args = ['--conditions=sibyl-source', bin, ...command, '--help']
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, NO_COLOR: '1' } })
  return stdout
}
