import { jsonOption, oracleOptions, parseAbility, urlOption } from '../../command/common-options.ts'
import { type OptionsOf, wholeNumber } from '../../command/define-command.ts'

export const codeOptions = {
  scope: {
    value: '<ability>',
    repeated: true,
    parse: parseAbility,
    summary: 'an ability of the user, repeatable (default: chat/* and session/*)',
  },
  minutes: {
    value: '<minutes>',
    parse: wholeNumber('whole minutes', 1, 60),
    summary: 'validity in minutes, 1 to 60 (default: 10)',
  },
  ...urlOption,
  ...jsonOption,
} as const

/** Options of `list` and `end`. */
export const signInOptions = {
  operator: { summary: 'act as the operator, with the operator token of the project or of ORACLE_OPERATOR_TOKEN' },
  ...oracleOptions,
  ...jsonOption,
} as const

export type SignInOptions = OptionsOf<typeof signInOptions>
export type CodeOptions = OptionsOf<typeof codeOptions>
