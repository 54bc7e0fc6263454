import { jsonOption, urlOption } from '../../command/common-options.ts'
import type { OptionsOf } from '../../command/define-command.ts'

export const grantOptions = {
  reason: { value: '<text>', summary: 'the reason, which the user sees', default: 'Granted by the operator' },
  id: { value: '<id>', summary: 'an ID that makes repeated calls grant once' },
  ...urlOption,
  ...jsonOption,
} as const

export type GrantOptions = OptionsOf<typeof grantOptions>
