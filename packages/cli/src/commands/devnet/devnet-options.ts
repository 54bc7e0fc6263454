import { parseListenPort } from '../../command/common-options.ts'
import type { OptionsOf } from '../../command/define-command.ts'

export const devnetOptions = {
  port: {
    value: '<port>',
    parse: parseListenPort,
    summary: 'where to listen, 0 for a free one (default: that of the first start, 4100)',
  },
  data: { value: '<folder>', summary: 'where its data and keys are (default: devnet, in the folder of your key)' },
  newKey: { summary: 'make a new API key, which takes the place of the one before' },
  verbose: { summary: "show the oracle's log" },
  json: { summary: 'one JSON object on stdout once it listens', conflicts: 'verbose' },
} as const

export type DevnetOptions = OptionsOf<typeof devnetOptions>
