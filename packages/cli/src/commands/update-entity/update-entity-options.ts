import type { OptionsOf } from '../../command/define-command.ts'
import { parseNamedValue, parseService, registryOptions } from '../../registry/registry-flags.ts'

export const updateEntityOptions = {
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
