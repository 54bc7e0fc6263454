import { PassThrough } from 'node:stream'
import { processIo, run } from '@sibyl/cli'
import type { CommandHelp } from './cli-page.ts'

/** Returns the help of a command, and of each of its commands. */
export const commandHelp = async (path: readonly string[] = []): Promise<CommandHelp[]> => {
  const help = await helpOf(path)
  const listed = help.split('\n\n').filter(section => /^Commands.*:$/m.test(section))
  const names = [...listed.join('\n').matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name)
  const below = await Promise.all(names.map(name => commandHelp([...path, name])))
  return [{ command: ['sibyl', ...path].join(' '), help }, ...below.flat()]
}

const helpOf = async (command: readonly string[]): Promise<string> => {
  const stdout = new PassThrough()
  await run([...command, '--help'], { ...processIo(), stdout, env: { ...process.env, NO_COLOR: '1' } })
  return (await stdout.end().toArray()).join('')
}
