import { jsonOption, urlOption } from '../../command/common-options.ts'
import type { OptionsOf } from '../../command/define-command.ts'

/** Options of `sibyl people erase`; `export` has all but `--yes`. */
export const eraseOptions = { ...urlOption, ...jsonOption, yes: { summary: 'skip the confirmation' } } as const

export type EraseOptions = OptionsOf<typeof eraseOptions>
