import type { OptionsOf } from '../../command/define-command.ts'
import { parseNamedValue, parseService, registryOptions } from '../../registry/registry-flags.ts'

export const updateEntityOptions = {
  set: { value: '<name=value>', repeated: true, parse: parseNamedValue, summary: 'set a property, may be repeated' },
  unset: {
    value: '<name>',
    repeated: true,
    summary: 'remove a property, or a service by its #id, may be repeated',
  },
  service: {
    value: '<id=type=url>',
    repeated: true,
    parse: parseService,
    summary: 'add or replace a service, may be repeated',
  },
  controller: { value: '<did>', summary: 'offer it to this DID, or accept it as this DID' },
  file: {
    value: '<path>',
    summary: 'read a patch as JSON from a file, - for stdin; the options above go before it',
  },
  deactivate: { summary: 'take it out of use; it stays readable and never changes again' },
  yes: { summary: 'do not ask before what cannot be undone' },
  dryRun: { summary: 'read the entity and show what would be sent, and change nothing' },
  ...registryOptions,
} as const

export type UpdateEntityOptions = OptionsOf<typeof updateEntityOptions>
