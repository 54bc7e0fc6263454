import { defineCommand } from '../../command/define-command.ts'
import { createEntityOptions } from './create-entity-options.ts'

const help = `
Values are parsed as JSON if possible: 800, true, null, '{"lat": 1.2}', '"800"' for a string of digits; others are strings.
In the folder of an oracle it signs with the mnemonic of the oracle; elsewhere with your login (sibyl login) or your key.

Examples:
  sibyl create-entity --type CookStove --property serial=A-17 --property watts=800
  sibyl create-entity --type CookStove --protocol did:web:… --relationship partOf=did:web:…
  sibyl create-entity --oracle --dry-run                the entity of the oracle in this folder
  sibyl create-entity --file stove.json --dry-run       show the request
  sibyl create-entity --file - --json < stove.json      for scripts

Exit codes: 0 done, 1 refused, 2 usage, 3 configuration, 4 network, 130 interrupted.`

export const createEntityCommand = defineCommand({
  name: 'create-entity',
  summary: 'register an entity: a device, a project, a protocol …',
  help,
  options: createEntityOptions,
  run: async ({ options, io }) => (await import('./create-entity.ts')).createEntity(options, io),
})
