import { parsePort } from '../../command/common-options.ts'
import type { OptionsOf } from '../../command/define-command.ts'
import { packageManagers } from '../../package-manager/detect-package-manager.ts'
import { signingMethods } from '../../registry/controller.ts'
import { networks } from '../../registry/registry-node.ts'
import { templateNames } from '../../scaffold/answers/scaffold-answers.ts'

export const newOptions = {
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
  template: {
    value: '<template>',
    choices: templateNames,
    summary: 'the template of the project (default: minimal)',
  },
  apiUrl: { value: '<url>', summary: 'where the registry lists it (default: http://localhost with the port)' },
  port: { value: '<port>', parse: parsePort, summary: 'where it listens (default: 4000)' },
  matrixUrl: {
    value: '<url>',
    summary: 'the homeserver of the messaging bot, or none (default: MATRIX_BASE_URL)',
  },
  registryUrl: {
    value: '<url>',
    summary: 'the registry of devnet (default: REGISTRY_URL, otherwise a local one)',
  },
  rpcUrl: { value: '<url>', summary: 'the RPC node of testnet and mainnet (default: CHAIN_RPC_URL)' },
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
