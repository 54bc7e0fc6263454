import { parseListenPort } from '../../command/common-options.ts'
import type { OptionsOf } from '../../command/define-command.ts'

export const devOptions = {
  port: { value: '<port>', parse: parseListenPort, summary: 'where to listen, 0 for a free one' },
  json: { summary: 'print events as lines of JSON' },
} as const

export type DevOptions = OptionsOf<typeof devOptions>
