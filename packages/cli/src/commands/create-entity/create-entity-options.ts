import { checkedText, type OptionsOf } from '../../command/define-command.ts'
import { parseNamedValue, parseService, registryOptions } from '../../registry/registry-flags.ts'

export const createEntityOptions = {
  type: { value: '<type>', summary: 'what it is: CookStove, Organisation, Protocol …' },
  oracle: { summary: 'the oracle of this folder; its entity goes into oracle.config.json' },
  protocol: { value: '<did>', summary: 'the protocol that it follows' },
  property: { value: '<name=value>', repeated: true, parse: parseNamedValue, summary: 'a property, may be repeated' },
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
    summary: 'another entity that it is related to, may be repeated',
  },
  controller: {
    value: '<did>',
    summary: 'whom to offer it to, who controls it after accepting (default: you keep it)',
  },
  file: { value: '<path>', summary: 'read it as JSON from a file, - for stdin; the options above go before it' },
  idempotencyKey: {
    value: '<key>',
    summary: 'with the same key and entity again, for a day, no second one is made',
    parse: checkedText(
      text => /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(text),
      '1 to 255 characters of ASCII.',
    ),
  },
  dryRun: { summary: 'show what would be sent, and send nothing' },
  ...registryOptions,
} as const

export type CreateEntityOptions = OptionsOf<typeof createEntityOptions>
