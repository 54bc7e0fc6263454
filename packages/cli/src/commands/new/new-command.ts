import { Command, InvalidArgumentError, Option } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import { signingMethods } from '../../registry/controller.ts'
import { networks } from '../../registry/registry-node.ts'
import { packageManagers, templateNames } from '../../scaffold/scaffold-answers.ts'
import type { NewOptions } from './new-options.ts'

const help = `
Asks how to sign, for the network and for what the oracle is; registers it; then writes its project. What a flag says is
not asked. Without a terminal, in CI, with --yes or --json nothing is asked: with --yes what is missing has its usual
value, else one error lists it.

Templates: minimal (the bundled plugins), weather (a plugin of your own on the weather), ussd (menus for any phone),
twins (digital twins of things, their claims and credentials).

The words of a mnemonic are never an argument: they come from a file, stdin, SIBYL_MNEMONIC or a prompt. The folder
appears at once or not at all. Where a run stopped while it registered, the next one for the folder goes on.

Examples:
  sibyl new                                    question by question, then a project that runs
  sibyl new field-oracle --yes                 no question: a devnet on this computer, a new mnemonic
  sibyl new field-oracle --yes --no-register   the project alone
  sibyl new gateway --template ussd --auth qr  the phone signs
  sibyl new field-oracle --yes --dry-run       what would be registered and written
  sibyl new . --merge --yes                    into a folder that has files; none of them is touched

Exit codes: 0 done, 1 refused, 2 usage, 3 folder or configuration, 4 network, 130 interrupted.`

/**
 * Makes the command `new`: what it understands, with the work itself loaded when it runs.
 *
 * @param finish Takes the exit code.
 */
export const newCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command =>
  new Command('new')
    .description('make an oracle: register it, and write its project')
    .argument('[dir]', 'the folder of the project')
    .addOption(new Option('--auth <method>', 'how to sign: with a phone, or on this computer').choices(signingMethods))
    .option('--mnemonic-file <file>', "the oracle's words, 12 or 24, - for stdin (default: new ones)")
    .addOption(new Option('--network <network>', 'where to register it').choices(networks))
    .option('--name <name>', 'what it is called')
    .option('--description <text>', 'what it is for, in one sentence')
    .option('--price <text>', 'what a conversation costs, in words')
    .option('--model <model>', 'its language model; offline needs no key')
    .addOption(
      new Option('--template <template>', 'what the project begins with (default: minimal)').choices(templateNames),
    )
    .option('--api-url <url>', 'where the registry lists it (default: http://localhost with the port)')
    .option('--port <port>', 'where it listens (default: 4000)', parsePort)
    .option('--matrix-url <url>', 'the homeserver of its messaging bot, or none (default: MATRIX_BASE_URL)')
    .option('--registry-url <url>', 'the registry of devnet (default: REGISTRY_URL, else one on this computer)')
    .option('--rpc-url <url>', 'the chain of testnet and mainnet (default: CHAIN_RPC_URL)')
    .addOption(
      new Option('--package-manager <name>', 'what installs it (default: what called this)').choices(packageManagers),
    )
    .option('--no-register', 'write the project alone')
    .option('--no-git', 'begin no git repository')
    .option('--merge', 'add what is missing to a folder that has files')
    .option('--force', 'move a folder that has files aside')
    .option('--fresh', 'forget a run that did not come to its end')
    .option('--install', 'install what it needs as well')
    .option('--dry-run', 'show what would be registered and written, and do nothing')
    .option('-y, --yes', 'ask nothing')
    .option('--json', 'tell the result as one JSON object, ask nothing')
    .addHelpText('after', help)
    .action(async (dir: string | undefined, options: NewOptions) => {
      const { runNew } = await import('./new.ts')
      finish(await runNew(dir, options, io))
    })

const parsePort = (value: string): number => {
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port < 1 || port > 65_535) {
    throw new InvalidArgumentError('Expected a number from 1 to 65535.')
  }
  return port
}
