import { checkedText, type OptionsOf } from '../../command/define-command.ts'
import { parseNamedValue, parseService, registryOptions } from '../../registry/registry-flags.ts'

export const createEntityOptions = {
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
