import type { jsonOption } from '../../command/common-options.ts'
import type { OptionsOf } from '../../command/define-command.ts'

export const envInitOptions = {
  mnemonicFile: { value: '<file>', summary: "the oracle's words, - for stdin (or SIBYL_MNEMONIC)" },
  newMnemonic: { summary: 'make new words, also where the oracle is registered with others' },
} as const

export type EnvInitOptions = OptionsOf<typeof envInitOptions & typeof jsonOption>

export const envExampleOptions = {
  write: { summary: 'write it into the project' },
  check: { summary: 'exit code 1 where the one in the project is another' },
} as const

export type EnvExampleOptions = OptionsOf<typeof envExampleOptions & typeof jsonOption>
