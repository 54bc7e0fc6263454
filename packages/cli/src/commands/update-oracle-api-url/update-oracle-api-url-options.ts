import { parsePort } from '../../command/common-options.ts'
import type { OptionsOf } from '../../command/define-command.ts'
import { registryOptions } from '../../registry/registry-flags.ts'

export const updateOracleApiUrlOptions = {
  port: { value: '<port>', parse: parsePort, summary: 'the same as http://localhost:<port>' },
  entity: { value: '<did>', summary: "the oracle's entity (default: that of the project)" },
  check: { negated: true, summary: 'do not ask who answers there' },
  dryRun: { summary: 'show what would be sent, and change nothing' },
  ...registryOptions,
} as const

export type UpdateOracleApiUrlOptions = OptionsOf<typeof updateOracleApiUrlOptions>
