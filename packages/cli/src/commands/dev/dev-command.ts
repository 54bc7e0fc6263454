import { Command, InvalidArgumentError } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import type { DevOptions } from './dev-options.ts'

const help = `
Runs the oracle of the project that you are in, and starts it again when a file changes: its sources (tests apart), .env,
oracle.config.json, package.json and the file of MCP servers (mcp.json, or what MCP_SERVERS_FILE names). Sessions are kept; a running answer gets 2 s to end. What does not start is shown,
and the next save tries again. Ctrl-C ends it, twice ends it at once.

Examples:
  sibyl dev                  on PORT of the environment or .env, else 3000
  sibyl dev --port 4000      on another port, whatever they say
  sibyl dev --json           what happens as lines of JSON, the oracle's own log on stderr

Exit codes: 0 ended by Ctrl-C or a supervisor, 2 usage, 3 configuration, 130 ended at once.`

/**
 * Makes the command `dev`: what it understands, with the work itself loaded when it runs.
 *
 * @param finish Takes the exit code.
 */
export const devCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command =>
  new Command('dev')
    .description('run the oracle of this project, and start it again at every change')
    .option('--port <port>', 'where to listen, 0 for a free one', parsePort)
    .option('--json', 'what happens as lines of JSON')
    .addHelpText('after', help)
    .action(async (options: DevOptions) => {
      const { dev } = await import('./dev.ts')
      finish(await dev(options, io))
    })

const parsePort = (value: string): number => {
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port > 65_535) throw new InvalidArgumentError('Expected a number from 0 to 65535.')
  return port
}
