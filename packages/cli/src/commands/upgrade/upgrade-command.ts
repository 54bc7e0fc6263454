import { Argument, Command } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import type { UpgradeOptions } from './upgrade-options.ts'

const help = `
Replaces the @sibyl packages in the project's vendor/ with those of the command that runs it, then installs. Run it with the
newer command: from a clone, from a newer install, or with SIBYL_PACKAGES set to a folder of tarballs. Your own files stay as
they are; the database is migrated at the next start.

Examples:
  npx -y pnpm@12 sibyl upgrade ../field-oracle          from a newer clone
  SIBYL_PACKAGES=~/sibyl-0.2.0 npx sibyl upgrade        from tarballs
  sibyl upgrade --dry-run                               what would change

Exit codes: 0 done or up to date, 1 the install failed, 2 usage, 3 configuration, 130 interrupted.`

/**
 * Creates the command `upgrade`.
 *
 * @param finish Takes the exit code.
 */
export const upgradeCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command =>
  new Command('upgrade')
    .description('renew the @sibyl packages of a project')
    .addArgument(new Argument('[dir]', 'the project; by default the one that you are in'))
    .option('--dry-run', 'show what would change, and do nothing')
    .option('--no-install', 'write the packages, and leave the install to you')
    .option('--json', 'answer with one object')
    .addHelpText('after', help)
    .action(async (dir: string | undefined, options: UpgradeOptions) => {
      const { upgrade } = await import('./upgrade.ts')
      finish(await upgrade(dir, options, io))
    })
