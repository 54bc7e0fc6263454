import { jsonOption, urlOption } from '../../command/common-options.ts'
import type { OptionsOf } from '../../command/define-command.ts'

export const consoleOptions = {
  user: { summary: 'sign in without the rights of an operator' },
  print: { summary: 'print the address, and do not open it' },
  ...urlOption,
  ...jsonOption,
} as const

export type ConsoleOptions = OptionsOf<typeof consoleOptions>
