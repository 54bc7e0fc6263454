import { Argument, Command } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import type { ImportOptions, KeysOptions, RotateOptions, ShowOptions } from './keys-options.ts'

const exitCodes = 'Exit codes: 0 done, 1 failed, such as a wrong passphrase, 2 usage, 3 configuration, 130 interrupted.'

const help = `
Each key is in a file of its own, keys/<name>.json in ~/.config/sibyl (SIBYL_HOME moves it): its 24 words, encrypted with
AES-256-GCM under a passphrase (scrypt). With sibyl login --key <name> you act at a registry with one.
The passphrase is asked for. Where nobody can be asked it comes from --passphrase-file or SIBYL_PASSPHRASE, and is never an
argument, where others on the computer could see it.

Examples:
  sibyl keys new work                      a new key under a passphrase
  sibyl keys show                          the keys that there are, with their DIDs
  sibyl keys show work --reveal            its words once, for a copy in a safe place
  sibyl keys import work --mnemonic-file - < words.txt
  sibyl keys rotate work                   a new key in its place; the old one is kept as work.1
  sibyl keys rotate --oracle               a new key for the oracle in whose folder you are

${exitCodes}`

const newHelp = `
Examples:
  sibyl keys new work
  sibyl keys new work --passphrase-file ./passphrase
  sibyl keys new work --json < /dev/null | jq -r .did      with SIBYL_PASSPHRASE set

${exitCodes}`

const importHelp = `
The words are asked for, and not shown while you type.

Examples:
  sibyl keys import work
  sibyl keys import work --mnemonic-file - < words.txt

${exitCodes}`

const showHelp = `
Examples:
  sibyl keys show                list all, with their DIDs
  sibyl keys show work           this one
  sibyl keys show work.1         one that was retired
  sibyl keys show work --reveal

${exitCodes}`

const rotateHelp = `
With a name: a new key takes its place under the same passphrase, and the old one is kept as retired, as work.1.
With --oracle, in an oracle's folder: a new ORACLE_MNEMONIC in .env. Its words of before are kept as a retired key under a
passphrase of your choice, named after the oracle, or <name>. What follows from it is said at the end.

Examples:
  sibyl keys rotate work
  sibyl keys rotate --oracle
  sibyl keys rotate --oracle --yes --passphrase-file ./passphrase

${exitCodes}`

/**
 * Makes the command `keys`: what it understands, with the work itself loaded when it runs.
 *
 * @param finish Takes the exit code.
 */
export const keysCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command => {
  const name = () => new Argument('<name>', 'lower-case letters, digits and hyphens')
  return new Command('keys')
    .description('keys under passphrases: make, import, show, rotate')
    .addHelpText('after', help)
    .addCommand(
      withPassphrase(new Command('new'))
        .description('make a new key')
        .addArgument(name())
        .addHelpText('after', newHelp)
        .action(async (key: string, options: KeysOptions) => {
          const { newKey } = await import('./new-key.ts')
          finish(await newKey(key, options, io))
        }),
    )
    .addCommand(
      withPassphrase(new Command('import'))
        .description('keep a key whose words you have')
        .addArgument(name())
        .option('--mnemonic-file <file>', 'read the words from a file, - for stdin (or SIBYL_MNEMONIC)')
        .addHelpText('after', importHelp)
        .action(async (key: string, options: ImportOptions) => {
          const { importKey } = await import('./import-key.ts')
          finish(await importKey(key, options, io))
        }),
    )
    .addCommand(
      withPassphrase(new Command('show'))
        .description('list the keys, or show one')
        .addArgument(new Argument('[name]', 'which one; of a retired one with its number: work.1'))
        .option('--reveal', 'show its words once, on a terminal alone')
        .addHelpText('after', showHelp)
        .action(async (key: string | undefined, options: ShowOptions) => {
          const { showKeys } = await import('./show-keys.ts')
          finish(await showKeys(key, options, io))
        }),
    )
    .addCommand(
      withPassphrase(new Command('rotate'))
        .description('put a new key in the place of one')
        .addArgument(new Argument('[name]', 'which one'))
        .option('--oracle', 'the signing key of the oracle in whose folder you are')
        .option('--yes', 'do not ask, for scripts')
        .addHelpText('after', rotateHelp)
        .action(async (key: string | undefined, options: RotateOptions) => {
          const { rotateKey } = await import('./rotate-key.ts')
          finish(await rotateKey(key, options, io))
        }),
    )
}

const withPassphrase = (command: Command): Command =>
  command
    .option('--passphrase-file <file>', 'read the passphrase from a file, - for stdin (or SIBYL_PASSPHRASE)')
    .option('--json', 'one JSON object on stdout, also where it fails')
