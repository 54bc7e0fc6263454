import { checkedText, defineCommand, type OptionsOf } from '../../command/define-command.ts'
import { parseNamedValue, parseService, registryOptions } from '../../registry/registry-flags.ts'

const createEntityOptions = {
  type: { value: '<type>', summary: 'its type: CookStove, Organisation, Protocol …' },
  oracle: { summary: 'register the oracle of this folder; its DID is stored in oracle.config.json' },
  protocol: { value: '<did>', summary: 'the DID of its protocol' },
  property: { value: '<name=value>', repeated: true, parse: parseNamedValue, summary: 'a property, repeatable' },
  service: {
    value: '<id=type=url>',
    repeated: true,
    parse: parseService,
    summary: 'where it can be reached, may be repeated',
  },
  relationship: {
    value: '<name=did>',
    repeated: true,
    parse: parseNamedValue,
    summary: 'a relationship to another entity, repeatable',
  },
  controller: {
    value: '<did>',
    summary: 'the DID of a new controller, who has to accept (default: you keep control)',
  },
  file: { value: '<path>', summary: 'read JSON from a file, - for stdin; the other options override it' },
  idempotencyKey: {
    value: '<key>',
    summary: 'with the same key and entity again, for a day, no second one is made',
    parse: checkedText(
      text => /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(text),
      '1 to 255 ASCII characters.',
    ),
  },
  dryRun: { summary: 'show the request without sending it' },
  ...registryOptions,
} as const

export type CreateEntityOptions = OptionsOf<typeof createEntityOptions>

const help = `Values are parsed as JSON if possible: 800, true, null, '{"lat": 1.2}', '"800"' for a string of digits; others are strings.
In the folder of an oracle it signs with the mnemonic of the oracle, and registers at that oracle if it runs and no other
registry is set. Elsewhere it signs with your login (sibyl login) or your key.`

export const createEntityCommand = defineCommand({
  name: 'create-entity',
  summary: 'register an entity: a device, a project, a protocol …',
  help,
  examples: [
    'sibyl create-entity --type CookStove --property serial=A-17 --property watts=800',
    'sibyl create-entity --type CookStove --protocol did:web:… --relationship partOf=did:web:…',
    'sibyl create-entity --oracle --dry-run                the entity of the oracle in this folder',
    'sibyl create-entity --file stove.json --dry-run       show the request',
    'sibyl create-entity --file - --json < stove.json      for scripts',
  ],
  exits: '0 done, 1 refused, 2 usage, 3 configuration, 4 network, 130 interrupted.',
  options: createEntityOptions,
  run: async ({ options, io }) => (await import('./create-entity.ts')).createEntity(options, io),
})
