import { parsePort } from '../../command/common-options.ts'
import { defineCommand, type OptionsOf } from '../../command/define-command.ts'
import { registryOptions } from '../../registry/registry-flags.ts'

const updateOracleApiUrlOptions = {
  port: { value: '<port>', parse: parsePort, summary: 'the same as http://localhost:<port>' },
  entity: { value: '<did>', summary: 'the entity of the oracle (default: that of the project)' },
  check: { negated: true, summary: 'do not check which oracle responds there' },
  dryRun: { summary: 'show the request without sending it' },
  ...registryOptions,
} as const

export type UpdateOracleApiUrlOptions = OptionsOf<typeof updateOracleApiUrlOptions>

const help = `The registry lists an oracle at the address of its registration, http://localhost:4000 by default, but the oracle listens
on PORT, 3000 by default. This command updates the address in the registry. The oracle has to run, because the command
first checks which oracle responds at the new address. The default url is PUBLIC_URL of the project, or localhost and PORT.`

export const updateOracleApiUrlCommand = defineCommand({
  name: 'update-oracle-api-url',
  summary: 'update the address of your oracle in the registry',
  help,
  examples: [
    'sibyl update-oracle-api-url                           the address of this project',
    'sibyl update-oracle-api-url --port 3000               http://localhost:3000',
    'sibyl update-oracle-api-url https://oracle.example.org',
    'sibyl update-oracle-api-url https://oracle.example.org --no-check    before it is deployed',
  ],
  exits: '0 done, 1 refused, 2 usage, 3 configuration, 4 network, 130 interrupted.',
  positionals: { url: { optional: true, summary: 'where it answers now' } },
  options: updateOracleApiUrlOptions,
  run: async ({ positionals: { url }, options, io }) =>
    (await import('./update-oracle-api-url.ts')).updateOracleApiUrl(url, options, io),
})
