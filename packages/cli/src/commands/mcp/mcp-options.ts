import { oracleOptions, parseAbility } from '../../command/common-options.ts'
import type { OptionsOf } from '../../command/define-command.ts'

export const mcpOptions = {
  url: oracleOptions.url,
  ability: {
    value: '<ability>',
    repeated: true,
    parse: parseAbility,
    summary: 'an ability that the client may use for you, repeatable (default: all of yours)',
  },
  trust: oracleOptions.trust,
} as const

export type McpOptions = OptionsOf<typeof mcpOptions>
