import { defineCommand } from '../../command/define-command.ts'
import { updateOracleApiUrlOptions } from './update-oracle-api-url-options.ts'

const help = `
The registry lists an oracle at the address of its registration, http://localhost:4000 unless you said another; it boots
on PORT, 3000 by default. This command tells the registry where the oracle really is. It needs the oracle to run, as it
asks the new address who is there first. Without a url it takes PUBLIC_URL of the project, else localhost and its PORT.

Examples:
  sibyl update-oracle-api-url                           where this project boots
  sibyl update-oracle-api-url --port 3000               http://localhost:3000
  sibyl update-oracle-api-url https://oracle.example.org
  sibyl update-oracle-api-url https://oracle.example.org --no-check    before it is deployed

Exit codes: 0 done, 1 refused, 2 usage, 3 configuration, 4 network, 130 interrupted.`

export const updateOracleApiUrlCommand = defineCommand({
  name: 'update-oracle-api-url',
  summary: 'update the address of your oracle in the registry',
  help,
  positionals: { url: { optional: true, summary: 'where it answers now' } },
  options: updateOracleApiUrlOptions,
  run: async ({ positionals: { url }, options, io }) =>
    (await import('./update-oracle-api-url.ts')).updateOracleApiUrl(url, options, io),
})
