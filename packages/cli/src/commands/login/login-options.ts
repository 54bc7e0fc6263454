import { jsonOption } from '../../command/common-options.ts'
import { type OptionsOf, wholeNumber } from '../../command/define-command.ts'

export const loginOptions = {
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
