import { parseListenPort } from '../../command/common-options.ts'
import type { OptionsOf } from '../../command/define-command.ts'

export const devnetOptions = {
  port: {
    value: '<port>',
    parse: parseListenPort,
    summary: 'where to listen, 0 for a free one (default: that of the first start, 4100)',
  },
  data: { value: '<folder>', summary: 'where its data and keys are (default: devnet, in the folder of your key)' },
  newKey: { summary: 'create a new API key, which replaces the previous one' },
  verbose: { summary: "show the oracle's log" },
  json: { summary: 'print one JSON object to stdout once it listens', conflicts: 'verbose' },
} as const

export type DevnetOptions = OptionsOf<typeof devnetOptions>
