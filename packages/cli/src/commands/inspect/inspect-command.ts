import { Command, Option } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import type { InspectOptions } from './inspect-options.ts'

const help = `
Shows what a turn of this project's oracle begins with, as its model is sent it: the system prompt, the tools, and what they
cost in tokens (estimated, at four characters each), before anybody has said a word. Capabilities that are loaded on demand
are listed with what a load adds. The oracle is not started for it: nothing listens, no model is called, and its database is
not touched. Secrets are struck out.

Examples:
  sibyl inspect                      plugins, prompt, tools and their cost
  sibyl inspect --prompt             the system prompt alone
  sibyl inspect --json | jq '.turn.tools[] | {name, tokens}'

Exit codes: 0 done, 2 usage, 3 the oracle would not start, 130 interrupted.`

/**
 * Makes the command `inspect`: what it understands, with the work itself loaded when it runs.
 *
 * @param finish Takes the exit code.
 */
export const inspectCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command =>
  new Command('inspect')
    .description('show the prompt, the tools and the token cost of a turn')
    .addOption(new Option('--prompt', 'the system prompt alone').conflicts('json'))
    .option('--json', 'all that the oracle tells of itself, as one object')
    .addHelpText('after', help)
    .action(async (options: InspectOptions) => {
      const { inspect } = await import('./inspect.ts')
      finish(await inspect(options, io))
    })
