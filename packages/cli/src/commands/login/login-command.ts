import { jsonOption } from '../../command/common-options.ts'
import { defineCommand, type OptionsOf, wholeNumber } from '../../command/define-command.ts'

const loginOptions = {
  key: { value: '<name>', summary: 'sign with a key of the keystore instead of a phone' },
  passphraseFile: { value: '<file>', summary: 'the passphrase of that key, - for stdin (or SIBYL_PASSPHRASE)' },
  qr: { summary: 'wait for a phone, even without a terminal' },
  controller: { value: '<did>', summary: 'the DID that must sign; other keys are rejected' },
  hours: {
    value: '<hours>',
    parse: wholeNumber('whole hours', 1, 12),
    summary: 'validity in hours, 1 to 12 (default: 12)',
  },
  signingHost: { value: '<address>', summary: 'the address of this computer for the phone (or SIBYL_SIGNING_HOST)' },
  signingUrl: {
    value: '<origin>',
    summary: 'an https origin that forwards to this computer (or SIBYL_SIGNING_URL)',
  },
  registryUrl: {
    value: '<url>',
    summary: 'where to sign in (default: REGISTRY_URL, else the devnet of this computer)',
  },
  ...jsonOption,
} as const

export type LoginOptions = OptionsOf<typeof loginOptions>

const help = `A login allows this computer to register and change entities in your name for some hours. By phone: scan the QR code.
A page in the browser of the phone creates or decrypts a key, shows the request, and signs or refuses it. Compare the
number on both screens. With --key, an encrypted key of this computer signs (sibyl keys new).
Testnet and mainnet require the signature of an account: there sign with the mnemonic, without a login.`

export const loginCommand = defineCommand({
  name: 'login',
  summary: 'sign in at a registry with your phone or a key',
  help,
  examples: [
    'sibyl login                         scan, compare, sign; valid for 12 hours',
    'sibyl login --hours 1               valid for one hour',
    'sibyl login --key work              sign with the key "work" of the keystore',
    'SIBYL_SIGNING_HOST=10.0.0.5 sibyl login     the address that the phone can reach',
  ],
  exits: '0 done, 1 refused or expired, 2 usage, 3 configuration, 4 network, 130 interrupted.',
  options: loginOptions,
  run: async ({ options, io }) => (await import('./login.ts')).login(options, io),
})
