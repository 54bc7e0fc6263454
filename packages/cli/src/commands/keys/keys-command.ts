import { jsonOption } from '../../command/common-options.ts'
import { defineCommand, type OptionsOf } from '../../command/define-command.ts'

const keyOptions = {
  passphraseFile: {
    value: '<file>',
    summary: 'read the passphrase from a file, - for stdin (or SIBYL_PASSPHRASE)',
  },
  ...jsonOption,
} as const

export type KeyOptions = OptionsOf<typeof keyOptions>

const importOptions = {
  ...keyOptions,
  mnemonicFile: { value: '<file>', summary: 'read the mnemonic from a file, - for stdin (or SIBYL_MNEMONIC)' },
} as const

export type ImportOptions = OptionsOf<typeof importOptions>

const showOptions = {
  ...keyOptions,
  reveal: { summary: 'show its mnemonic once, only on a terminal' },
} as const

export type ShowOptions = OptionsOf<typeof showOptions>

const rotateOptions = {
  ...keyOptions,
  oracle: { summary: 'the signing key of the oracle in this folder' },
  yes: { summary: 'skip the confirmation, for scripts' },
} as const

export type RotateOptions = OptionsOf<typeof rotateOptions>

const exitCodes = '0 done, 1 failed, such as a wrong passphrase, 2 usage, 3 configuration, 130 interrupted.'

const help = `Each key is stored in keys/<name>.json in ~/.config/sibyl (or SIBYL_HOME): a mnemonic of 24 words, encrypted with
AES-256-GCM and a passphrase (scrypt). To use a key at a registry: sibyl login --key <name>.
The command asks for the passphrase. Without a terminal it reads --passphrase-file or SIBYL_PASSPHRASE. A passphrase is not
accepted as an argument, because other users of the computer could see it.`

const rotateHelp = `With a name: a new key takes its place under the same passphrase, and the old one is kept as retired, as work.1.
With --oracle, in an oracle's folder: a new ORACLE_MNEMONIC in .env. Its words of before are kept as a retired key under a
passphrase of your choice, named after the oracle, or <name>. Stop the oracle first. The effects are listed at the end.`

const nameOfKey = { name: { summary: 'lower-case letters, digits and hyphens' } }

const newCommand = defineCommand({
  name: 'new',
  summary: 'create a new key',
  examples: [
    'sibyl keys new work',
    'sibyl keys new work --passphrase-file ./passphrase',
    'sibyl keys new work --json < /dev/null | jq -r .did      with SIBYL_PASSPHRASE set',
  ],
  exits: exitCodes,
  positionals: nameOfKey,
  options: keyOptions,
  run: async ({ positionals: { name }, options, io }) => (await import('./new-key.ts')).newKey(name, options, io),
})

const importCommand = defineCommand({
  name: 'import',
  summary: 'import a key by its mnemonic',
  help: 'The command asks for the mnemonic, and does not show it while you type.',
  examples: ['sibyl keys import work', 'sibyl keys import work --mnemonic-file - < words.txt'],
  exits: exitCodes,
  positionals: nameOfKey,
  options: importOptions,
  run: async ({ positionals: { name }, options, io }) => (await import('./new-key.ts')).importKey(name, options, io),
})

const showCommand = defineCommand({
  name: 'show',
  summary: 'list the keys, or show one',
  examples: [
    'sibyl keys show                list all keys, with their DIDs',
    'sibyl keys show work           show one key',
    'sibyl keys show work.1         a retired key',
    'sibyl keys show work --reveal',
  ],
  exits: exitCodes,
  positionals: { name: { optional: true, summary: 'its name; with a number for a retired key: work.1' } },
  options: showOptions,
  run: async ({ positionals: { name }, options, io }) => (await import('./show-keys.ts')).showKeys(name, options, io),
})

const rotateCommand = defineCommand({
  name: 'rotate',
  summary: 'replace a key with a new one',
  help: rotateHelp,
  examples: [
    'sibyl keys rotate work',
    'sibyl keys rotate --oracle',
    'sibyl keys rotate --oracle --yes --passphrase-file ./passphrase',
  ],
  exits: exitCodes,
  positionals: { name: { optional: true, summary: 'which one' } },
  options: rotateOptions,
  run: async ({ positionals: { name }, options, io }) => (await import('./rotate-key.ts')).rotateKey(name, options, io),
})

export const keysCommand = defineCommand({
  name: 'keys',
  summary: 'create, import, show and rotate encrypted keys',
  help,
  examples: [
    'sibyl keys new work                      create an encrypted key',
    'sibyl keys show                          list the keys, with their DIDs',
    'sibyl keys show work --reveal            show its mnemonic once, for a copy in a safe place',
    'sibyl keys import work --mnemonic-file - < words.txt',
    'sibyl keys rotate work                   replace it; the old one is kept as work.1',
    'sibyl keys rotate --oracle               replace the key of the oracle in this folder',
  ],
  exits: exitCodes,
  commands: [newCommand, importCommand, showCommand, rotateCommand],
})
