import { Command, InvalidArgumentError, Option } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import type { DevnetOptions } from './devnet-options.ts'

const help = `
A registry on this computer: an oracle that keeps entities, their claims and credentials, without a chain, a server or a
model. What it keeps outlives it; to begin with nothing, delete its folder. The explorer shows it in a browser.
Commands that register something use it where it runs; where it does not, they start it for as long as they take.
Programs use it through REGISTRY_URL and its API key, which is shown at the first start. DIDs name the port of the first
start, also when it runs on another one later.

Examples:
  sibyl devnet                            start it at http://localhost:4100, or go on with it
  sibyl devnet --port 4200 --data ./net   a second one, with data of its own
  sibyl devnet --new-key                  an API key in the place of the one before
  sibyl devnet --json | jq -r .url        for a program; the API key is in it where it is new

Exit codes: 0 done, 2 usage, 3 configuration, 130 interrupted while it ended.`

/**
 * Makes the command `devnet`: what it understands, with the work itself loaded when it runs.
 *
 * @param finish Takes the exit code.
 */
export const devnetCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command =>
  new Command('devnet')
    .description('start a registry on this computer, with an explorer')
    .option('--port <port>', 'where to listen, 0 for a free one (default: that of the first start, 4100)', parsePort)
    .option('--data <folder>', 'where its data and keys are (default: devnet, in the folder of your key)')
    .option('--new-key', 'make a new API key, which takes the place of the one before')
    .option('--verbose', "show the oracle's log")
    .addOption(new Option('--json', 'one JSON object on stdout once it listens').conflicts('verbose'))
    .addHelpText('after', help)
    .action(async (options: DevnetOptions) => {
      const { devnet } = await import('./devnet.ts')
      finish(await devnet(options, io))
    })

const parsePort = (value: string): number => {
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port > 65_535) throw new InvalidArgumentError('Expected a number from 0 to 65535.')
  return port
}
