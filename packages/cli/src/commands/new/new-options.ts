import { parsePort } from '../../command/common-options.ts'
import type { OptionsOf } from '../../command/define-command.ts'
import { packageManagers } from '../../package-manager/detect-package-manager.ts'
import { signingMethods } from '../../registry/controller.ts'
import { networks } from '../../registry/registry-node.ts'
import { templateNames } from '../../scaffold/answers/scaffold-answers.ts'

export const newOptions = {
  auth: { value: '<method>', choices: signingMethods, summary: 'how to sign: with a phone, or on this computer' },
  mnemonicFile: { value: '<file>', summary: "the oracle's words, 12 or 24, - for stdin (default: new ones)" },
  network: { value: '<network>', choices: networks, summary: 'where to register it' },
  name: { value: '<name>', summary: 'what it is called' },
  description: { value: '<text>', summary: 'what it is for, in one sentence' },
  price: { value: '<text>', summary: 'what a conversation costs, in words' },
  model: { value: '<model>', summary: 'its language model; offline needs no key' },
  template: {
    value: '<template>',
    choices: templateNames,
    summary: 'what the project begins with (default: minimal)',
  },
  apiUrl: { value: '<url>', summary: 'where the registry lists it (default: http://localhost with the port)' },
  port: { value: '<port>', parse: parsePort, summary: 'where it listens (default: 4000)' },
  matrixUrl: {
    value: '<url>',
    summary: 'the homeserver of its messaging bot, or none (default: MATRIX_BASE_URL)',
  },
  registryUrl: {
    value: '<url>',
    summary: 'the registry of devnet (default: REGISTRY_URL, else one on this computer)',
  },
  rpcUrl: { value: '<url>', summary: 'the chain of testnet and mainnet (default: CHAIN_RPC_URL)' },
  packageManager: {
    value: '<name>',
    choices: packageManagers,
    summary: 'what installs it (default: what called this)',
  },
  register: { negated: true, summary: 'write the project alone' },
  git: { negated: true, summary: 'begin no git repository' },
  merge: { summary: 'add what is missing to a folder that has files' },
  force: { summary: 'move a folder that has files aside' },
  fresh: { summary: 'forget a run that did not come to its end' },
  install: { summary: 'install what it needs as well' },
  dryRun: { summary: 'show what would be registered and written, and do nothing' },
  yes: { short: 'y', summary: 'ask nothing' },
  json: { summary: 'tell the result as one JSON object, ask nothing' },
} as const

export type NewOptions = OptionsOf<typeof newOptions>
