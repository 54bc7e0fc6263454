import { Command } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import type { LogoutOptions } from './logout.ts'

const help = `
Only this computer forgets it: what was signed is good until its end for whoever has a copy of it and of this computer's key.

Examples:
  sibyl logout                            the one login that there is
  sibyl logout http://localhost:4100      those at one registry, by its address or DID
  sibyl logout did:key:z6Mk...            those of one controller
  sibyl logout --all

Exit codes: 0 done, 2 usage, 3 configuration.`

/**
 * Makes the command `logout`: what it understands, with the work itself loaded when it runs.
 *
 * @param finish Takes the exit code.
 */
export const logoutCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command =>
  new Command('logout')
    .description('forget logins')
    .argument('[which]', 'the address or DID of a registry, or the DID that signed')
    .option('--all', 'forget all of them')
    .option('--json', 'one JSON object on stdout, also where it fails')
    .addHelpText('after', help)
    .action(async (which: string | undefined, options: LogoutOptions) => {
      const { logout } = await import('./logout.ts')
      finish(await logout(which, options, io))
    })
