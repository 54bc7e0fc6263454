import { jsonOption, oracleOptions, parseAbility } from '../../command/common-options.ts'
import { type OptionsOf, wholeNumber } from '../../command/define-command.ts'

/** Options of all commands below `sibyl api-keys`. */
export const apiKeyOptions = {
  operator: { summary: 'act as the operator, with the operator token of the project or of ORACLE_OPERATOR_TOKEN' },
  ...oracleOptions,
  ...jsonOption,
} as const

export type ApiKeyOptions = OptionsOf<typeof apiKeyOptions>

export const createOptions = {
  scope: {
    value: '<ability>',
    repeated: true,
    parse: parseAbility,
    summary: 'an ability of the key, repeatable (default: chat/* and session/*)',
  },
  days: {
    value: '<days>',
    parse: wholeNumber('whole days', 1, 365),
    summary: 'validity in days, 1 to 365 (default: 90)',
  },
  did: { value: '<did>', summary: 'with --operator: the DID that the key acts as (default: one of its own)' },
  ...apiKeyOptions,
} as const

export type CreateOptions = OptionsOf<typeof createOptions>
