import type { jsonOption } from '../../command/common-options.ts'
import type { OptionsOf } from '../../command/define-command.ts'

export const envInitOptions = {
  mnemonicFile: { value: '<file>', summary: 'a file with the mnemonic of the oracle, - for stdin (or SIBYL_MNEMONIC)' },
  newMnemonic: { summary: 'create a new mnemonic, even if the oracle is registered with another one' },
} as const

export type EnvInitOptions = OptionsOf<typeof envInitOptions & typeof jsonOption>

export const envExampleOptions = {
  write: { summary: 'write the file into the project' },
  check: { summary: 'exit code 1 if the file in the project differs' },
} as const

export type EnvExampleOptions = OptionsOf<typeof envExampleOptions & typeof jsonOption>
