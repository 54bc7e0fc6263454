import { defineCommand } from '../../command/define-command.ts'
import { newOptions } from './new-options.ts'

const help = `
Asks for the signing method, the network and the profile of the oracle; registers it; then writes its project. Options
replace questions. Without a terminal, in CI, or with --yes or --json there are no questions: with --yes missing values
get defaults; otherwise an error lists them.

Templates: minimal (the bundled plugins), weather (a plugin that uses the weather), ussd (menus for any phone),
twins (digital twins, claims and credentials), web (a chat page in React).

A mnemonic is read from a file, stdin, SIBYL_MNEMONIC or a prompt, never from an argument. The folder is created
atomically. If a run stops during the registration, the next run for the folder continues it.

Examples:
  sibyl new                                    asks the questions, then creates a project
  sibyl new field-oracle --yes                 no questions: local devnet, new mnemonic
  sibyl new field-oracle --yes --no-register   only the project
  sibyl new gateway --template ussd --auth qr  the phone signs
  sibyl new field-oracle --yes --dry-run       show what would be registered and written
  sibyl new . --merge --yes                    into a folder with files, which stay unchanged

Exit codes: 0 done, 1 refused, 2 usage, 3 folder or configuration, 4 network, 130 interrupted.`

export const newCommand = defineCommand({
  name: 'new',
  summary: 'create an oracle: register it, and write its project',
  help,
  positionals: { dir: { optional: true, summary: 'the folder of the project' } },
  options: newOptions,
  run: async ({ positionals: { dir }, options, io }) => (await import('./new.ts')).runNew(dir, options, io),
})
