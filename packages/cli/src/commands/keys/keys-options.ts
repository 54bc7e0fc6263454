import { jsonOption } from '../../command/common-options.ts'
import type { OptionsOf } from '../../command/define-command.ts'

export const keyOptions = {
  passphraseFile: {
    value: '<file>',
    summary: 'read the passphrase from a file, - for stdin (or SIBYL_PASSPHRASE)',
  },
  ...jsonOption,
} as const

export type KeyOptions = OptionsOf<typeof keyOptions>

export const importOptions = {
  ...keyOptions,
  mnemonicFile: { value: '<file>', summary: 'read the mnemonic from a file, - for stdin (or SIBYL_MNEMONIC)' },
} as const

export type ImportOptions = OptionsOf<typeof importOptions>

export const showOptions = {
  ...keyOptions,
  reveal: { summary: 'show its mnemonic once, only on a terminal' },
} as const

export type ShowOptions = OptionsOf<typeof showOptions>

export const rotateOptions = {
  ...keyOptions,
  oracle: { summary: 'the signing key of the oracle in this folder' },
  yes: { summary: 'skip the confirmation, for scripts' },
} as const

export type RotateOptions = OptionsOf<typeof rotateOptions>
