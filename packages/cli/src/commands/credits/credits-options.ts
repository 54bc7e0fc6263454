import { jsonOption, urlOption } from '../../command/common-options.ts'
import type { OptionsOf } from '../../command/define-command.ts'

export const grantOptions = {
  reason: { value: '<text>', summary: 'why; the person sees it', default: 'Granted by the operator' },
  id: { value: '<id>', summary: 'the same for calls that make one grant' },
  ...urlOption,
  ...jsonOption,
} as const

export type GrantOptions = OptionsOf<typeof grantOptions>
