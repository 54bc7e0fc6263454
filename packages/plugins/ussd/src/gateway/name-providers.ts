import { OracleError } from '@sibyl/core'
import type { UssdProvider } from '../providers/ussd-provider.ts'

/** A provider's name cannot stand in its path. */
export class UssdProviderNameInvalid extends OracleError {
  readonly code = 'ussd_provider_name_invalid'

  constructor(name: string) {
    super(
      `A provider cannot be named '${name.slice(0, 60)}': a name has lower-case letters, digits and hyphens, at most 40, ` +
        `and is none of ${[...taken].join(', ')}. Give it another name.`,
    )
  }
}

/** What stands at that place of a path already, or is another form's name. */
const taken: ReadonlySet<string> = new Set(['customers', 'debug', 'plain', 'sessions'])

/**
 * The providers to serve: those that come along, and those given, which take the place of one of the same name.
 *
 * @throws UssdProviderNameInvalid `ussd_provider_name_invalid`
 */
export const nameProviders = (bundled: readonly UssdProvider[], given: readonly UssdProvider[]): UssdProvider[] => {
  const byName = new Map([...bundled, ...given].map(provider => [provider.name, provider]))
  for (const name of byName.keys()) {
    if (!/^[a-z][a-z0-9-]{0,39}$/.test(name) || taken.has(name)) throw new UssdProviderNameInvalid(name)
  }
  return [...byName.values()]
}
