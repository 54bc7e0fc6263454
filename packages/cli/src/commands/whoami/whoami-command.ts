import { Command } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import type { WhoamiOptions } from './whoami.ts'

const help = `
Examples:
  sibyl whoami            your DID on this computer, your logins, and the oracle of the folder
  sibyl whoami --json     for scripts

Exit codes: 0 done, 2 usage, 3 configuration.`

/**
 * Makes the command `whoami`: what it understands, with the work itself loaded when it runs.
 *
 * @param finish Takes the exit code.
 */
export const whoamiCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command =>
  new Command('whoami')
    .description('show your DID, your logins and the oracle of the folder')
    .option('--json', 'one JSON object on stdout, also where it fails')
    .addHelpText('after', help)
    .action(async (options: WhoamiOptions) => {
      const { whoami } = await import('./whoami.ts')
      finish(await whoami(options, io))
    })
