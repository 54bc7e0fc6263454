import { Command, InvalidArgumentError } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import { addRegistryFlags } from '../../registry/registry-flags.ts'
import type { UpdateOracleApiUrlOptions } from './update-oracle-api-url-options.ts'

const help = `
The registry lists an oracle at the address of its registration, http://localhost:4000 unless you said another; it boots
on PORT, 3000 by default. This command tells the registry where the oracle really is. It needs the oracle to run, as it
asks the new address who is there first. Without a url it takes PUBLIC_URL of the project, else localhost and its PORT.

Examples:
  sibyl update-oracle-api-url                           where this project boots
  sibyl update-oracle-api-url --port 3000               http://localhost:3000
  sibyl update-oracle-api-url https://oracle.example.org
  sibyl update-oracle-api-url https://oracle.example.org --no-check    before it is deployed

Exit codes: 0 done, 1 refused, 2 usage, 3 configuration, 4 network, 130 interrupted.`

/**
 * Makes the command `update-oracle-api-url`: what it understands, with the work itself loaded when it runs.
 *
 * @param finish Takes the exit code.
 */
export const updateOracleApiUrlCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command =>
  addRegistryFlags(
    new Command('update-oracle-api-url')
      .description('tell the registry where your oracle answers now')
      .argument('[url]', 'where it answers now')
      .option('--port <port>', 'the same as http://localhost:<port>', parsePort)
      .option('--entity <did>', "the oracle's entity (default: that of the project)")
      .option('--no-check', 'do not ask who answers there')
      .option('--dry-run', 'show what would be sent, and change nothing'),
  )
    .addHelpText('after', help)
    .action(async (url: string | undefined, options: UpdateOracleApiUrlOptions) => {
      const { updateOracleApiUrl } = await import('./update-oracle-api-url.ts')
      finish(await updateOracleApiUrl(url, options, io))
    })

const parsePort = (value: string): number => {
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port < 1 || port > 65_535) {
    throw new InvalidArgumentError('Expected a number from 1 to 65535.')
  }
  return port
}
