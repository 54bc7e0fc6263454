import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { workspaceRoot } from '@sibyl/tooling-source'
import type { CommandHelp } from './cli-page.ts'

const run = promisify(execFile)
const bin = join(workspaceRoot, 'packages/cli/src/bin.ts')

/** Asks the command itself for help, and each of its commands, in a process of its own. */
export const commandHelp = async (): Promise<CommandHelp[]> => {
  const help = await helpOf([])
  const listed = help.split(/^Commands:$/m)[1]?.split('\n\n')[0] ?? ''
  const names = [...listed.matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name)
  const commands = names.map(async name => ({ command: `sibyl ${name}`, help: await helpOf([name]) }))
  return [{ command: 'sibyl', help }, ...(await Promise.all(commands))]
}

const helpOf = async (command: readonly string[]): Promise<string> => {
  const args = ['--conditions=sibyl-source', bin, ...command, '--help']
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, NO_COLOR: '1' } })
  return stdout
}
