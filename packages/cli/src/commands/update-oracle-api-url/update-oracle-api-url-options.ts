import { parsePort } from '../../command/common-options.ts'
import type { OptionsOf } from '../../command/define-command.ts'
import { registryOptions } from '../../registry/registry-flags.ts'

export const updateOracleApiUrlOptions = {
  port: { value: '<port>', parse: parsePort, summary: 'the same as http://localhost:<port>' },
  entity: { value: '<did>', summary: 'the entity of the oracle (default: that of the project)' },
  check: { negated: true, summary: 'do not check which oracle responds there' },
  dryRun: { summary: 'show the request without sending it' },
  ...registryOptions,
} as const

export type UpdateOracleApiUrlOptions = OptionsOf<typeof updateOracleApiUrlOptions>
