import { defineCommand } from '../../command/define-command.ts'
import { updateEntityOptions } from './update-entity-options.ts'

const help = `
Reads the entity, shows what was and what will be, and changes it as its controller: with the mnemonic of the oracle's
folder, a login (sibyl login) or your own key, whichever is the controller's.
A value that is JSON is taken as such: 800, true, '"800"' for a text of digits, null to remove; all else is a text.
On a chain the account that registered an entity owns it, and can change it whoever is named as its controller.

Examples:
  sibyl update-entity did:web:… --set serial=A-18 --set watts=900
  sibyl update-entity did:web:… --unset fuel --unset '#readings'      remove a property and a service
  sibyl update-entity did:web:… --service readings=Telemetry=https://example.org/readings
  sibyl update-entity did:web:… --file patch.json --dry-run            a JSON Merge Patch; see what would be sent
  sibyl update-entity did:web:… --controller did:key:…                 offer it; that DID accepts with the same command
  sibyl update-entity did:web:… --deactivate                           take it out of use, for ever

Exit codes: 0 done, 1 refused, 2 usage, 3 configuration, 4 network, 130 interrupted.`

export const updateEntityCommand = defineCommand({
  name: 'update-entity',
  summary: 'change or deactivate an entity',
  help,
  positionals: { did: { summary: 'the entity' } },
  options: updateEntityOptions,
  run: async ({ positionals: { did }, options, io }) =>
    (await import('./update-entity.ts')).updateEntity(did, options, io),
})
