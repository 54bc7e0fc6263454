import { jsonOption, oracleOptions, parseAbility } from '../../command/common-options.ts'
import { type OptionsOf, wholeNumber } from '../../command/define-command.ts'

/** Options of the commands that only read from an oracle. */
export const askOptions = { ...oracleOptions, ...jsonOption } as const

export type AskOptions = OptionsOf<typeof askOptions>

export const tokenOptions = {
  ability: {
    value: '<ability>',
    repeated: true,
    parse: parseAbility,
    summary: 'an ability that it allows, repeatable (default: chat/* and session/*)',
  },
  lifetime: {
    value: '<seconds>',
    parse: wholeNumber('whole seconds', 1, 900),
    summary: 'lifetime in seconds, 1 to 900 (default: 300, a bearer 900)',
  },
  bearer: { summary: 'exchange it at the oracle for a bearer' },
  ...askOptions,
} as const

export type TokenOptions = OptionsOf<typeof tokenOptions>

export const grantOptions = {
  ability: {
    value: '<ability>',
    repeated: true,
    parse: parseAbility,
    summary:
      'an ability to grant, repeatable (default: chat/*, session/*, auth/token and delegation/*, or all of yours)',
  },
  days: {
    value: '<days>',
    parse: wholeNumber('whole days', 1, 90),
    summary: 'validity in days, 1 to 90 (default: 30)',
  },
  ...askOptions,
} as const

export type GrantOptions = OptionsOf<typeof grantOptions>
