import { defineCommand } from '../../command/define-command.ts'
import { newOptions } from './new-options.ts'

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

export const newCommand = defineCommand({
  name: 'new',
  summary: 'create an oracle: register it, and write its project',
  help,
  positionals: { dir: { optional: true, summary: 'the folder of the project' } },
  options: newOptions,
  run: async ({ positionals: { dir }, options, io }) => (await import('./new.ts')).runNew(dir, options, io),
})
