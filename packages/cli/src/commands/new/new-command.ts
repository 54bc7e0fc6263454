import { parsePort } from '../../command/common-options.ts'
import { defineCommand, type OptionsOf } from '../../command/define-command.ts'
import { packageManagers } from '../../package-manager/detect-package-manager.ts'
import { signingMethods } from '../../registry/controller.ts'
import { registryAddressOptions } from '../../registry/registry-flags.ts'
import { networks } from '../../registry/registry-node.ts'
import { templateNames } from '../../scaffold/answers/scaffold-answers.ts'

const newOptions = {
  auth: { value: '<method>', choices: signingMethods, summary: 'signing method: with a phone, or on this computer' },
  mnemonicFile: {
    value: '<file>',
    summary: 'the mnemonic of the oracle, 12 or 24 words, - for stdin (default: a new one)',
  },
  network: { value: '<network>', choices: networks, summary: 'where to register it' },
  name: { value: '<name>', summary: 'its name' },
  description: { value: '<text>', summary: 'its purpose, in one sentence' },
  price: { value: '<text>', summary: 'the price of a conversation, as text' },
  model: { value: '<model>', summary: 'its language model; offline needs no key' },
  modelUrl: { value: '<url>', summary: 'the server of the model, such as http://localhost:11434/v1' },
  template: {
    value: '<template>',
    choices: templateNames,
    summary: 'the template of the project (default: minimal)',
  },
  apiUrl: { value: '<url>', summary: 'where the registry lists it (default: http://localhost with the port)' },
  port: { value: '<port>', parse: parsePort, summary: 'where it listens (default: 4000)' },
  tenant: {
    value: '<schema>',
    summary: 'a schema of its own in the PostgreSQL of DATABASE_URL (default: a SQLite file)',
  },
  matrixUrl: {
    value: '<url>',
    summary: 'the homeserver of the messaging bot, or none (default: MATRIX_BASE_URL)',
  },
  ...registryAddressOptions,
  packageManager: {
    value: '<name>',
    choices: packageManagers,
    summary: 'the package manager (default: the one that ran this command)',
  },
  register: { negated: true, summary: 'write only the project' },
  git: { negated: true, summary: 'do not create a git repository' },
  merge: { summary: 'add missing files to a folder that is not empty' },
  force: { summary: 'move a folder that is not empty aside' },
  fresh: { summary: 'discard an unfinished run' },
  install: { summary: 'also install the dependencies' },
  dryRun: { summary: 'show what would be registered and written, without doing it' },
  yes: { short: 'y', summary: 'ask nothing' },
  json: { summary: 'print the result as one JSON object, without questions' },
} as const

export type NewOptions = OptionsOf<typeof newOptions>

const help = `Asks for the folder, the signing method and the model, and shows the rest to change or keep; registers the oracle; then
writes its project. Options replace questions. Without a terminal, in CI, or with --yes or --json there are no questions: with --yes missing values
get defaults; otherwise an error lists them.

Templates: minimal (the bundled plugins), weather (a plugin that uses the weather), ussd (menus for any phone),
twins (digital twins, claims and credentials), web (a chat page in React).

A mnemonic is read from a file, stdin, SIBYL_MNEMONIC or a prompt, never from an argument. The folder is created
atomically. If a run stops during the registration, the next run for the folder continues it.`

export const newCommand = defineCommand({
  name: 'new',
  summary: 'create an oracle: register it, and write its project',
  help,
  examples: [
    'sibyl new                                    asks the questions, then creates a project',
    'sibyl new field-oracle --yes                 no questions: local devnet, new mnemonic',
    'sibyl new field-oracle --yes --no-register   only the project',
    'sibyl new gateway --template ussd --auth qr  the phone signs',
    'sibyl new field-oracle --yes --dry-run       show what would be registered and written',
    'sibyl new . --merge --yes                    into a folder with files, which stay; package.json is extended',
  ],
  exits: '0 done, 1 refused, 2 usage, 3 folder or configuration, 4 network, 130 interrupted.',
  positionals: { dir: { optional: true, summary: 'the folder of the project' } },
  options: newOptions,
  run: async ({ positionals: { dir }, options, io }) => (await import('./new.ts')).runNew(dir, options, io),
})
