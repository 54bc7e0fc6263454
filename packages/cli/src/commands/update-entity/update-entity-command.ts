import { defineCommand, type OptionsOf } from '../../command/define-command.ts'
import { parseNamedValue, parseService, registryOptions } from '../../registry/registry-flags.ts'

const updateEntityOptions = {
  set: { value: '<name=value>', repeated: true, parse: parseNamedValue, summary: 'set a property, repeatable' },
  unset: {
    value: '<name>',
    repeated: true,
    summary: 'remove a property, or a service by its #id, repeatable',
  },
  service: {
    value: '<id=type=url>',
    repeated: true,
    parse: parseService,
    summary: 'add or replace a service, repeatable',
  },
  controller: { value: '<did>', summary: 'offer it to this DID, or accept it as this DID' },
  file: {
    value: '<path>',
    summary: 'read a patch as JSON from a file, - for stdin; the other options override it',
  },
  deactivate: { summary: 'deactivate it permanently; it stays readable' },
  yes: { summary: 'skip the confirmation of irreversible changes' },
  dryRun: { summary: 'show the request without sending it' },
  ...registryOptions,
} as const

export type UpdateEntityOptions = OptionsOf<typeof updateEntityOptions>

const help = `Reads the entity, shows the old and new values, and changes it as its controller: with the mnemonic of the oracle in this
folder, a login (sibyl login) or your key, depending on the controller.
Values are parsed as JSON if possible: 800, true, '"800"' for a string of digits, null to remove; others are strings.
On a chain the account that registered an entity owns it, and can change it regardless of its controller.`

export const updateEntityCommand = defineCommand({
  name: 'update-entity',
  summary: 'change or deactivate an entity',
  help,
  examples: [
    'sibyl update-entity did:web:… --set serial=A-18 --set watts=900',
    "sibyl update-entity did:web:… --unset fuel --unset '#readings'      remove a property and a service",
    'sibyl update-entity did:web:… --service readings=Telemetry=https://example.org/readings',
    'sibyl update-entity did:web:… --file patch.json --dry-run            a JSON Merge Patch; show the request',
    'sibyl update-entity did:web:… --controller did:key:…                 offer it; that DID accepts with the same command',
    'sibyl update-entity did:web:… --deactivate                           deactivate it permanently',
  ],
  exits: '0 done, 1 refused, 2 usage, 3 configuration, 4 network, 130 interrupted.',
  positionals: { did: { summary: 'the entity' } },
  options: updateEntityOptions,
  run: async ({ positionals: { did }, options, io }) =>
    (await import('./update-entity.ts')).updateEntity(did, options, io),
})
