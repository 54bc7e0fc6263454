import type { CallerRecord } from '@sibyl/core/records'
import { abilityCovers } from '@sibyl/identity/browser'
import type { CapabilityRecord } from '@sibyl/protocol'

/** A plugin of the oracle, or one of its capabilities: `GET /capabilities`. */
export type LoadedCapability = Pick<CapabilityRecord, 'name' | 'plugin' | 'title' | 'summary' | 'state'>

/** Rights of the user, which decide what views show. The oracle checks each request itself. */
export interface Access extends Readonly<CallerRecord> {
  /** Plugins and capabilities of the oracle, with those that are off. */
  readonly capabilities: readonly LoadedCapability[]
  /** Returns whether the user has an ability such as `chat/send`. */
  may(ability: string): boolean
  has(plugin: string): boolean
  /** Returns the same, and true where the user may not read the list of plugins, which requires `session/read`. */
  mayHave(plugin: string): boolean
}

/** Creates the rights of a user. @param known Plugins and capabilities, if the user may read the list. */
export const createAccess = (caller: CallerRecord, known: readonly LoadedCapability[] | undefined): Access => {
  const capabilities = known ?? []
  const isOn = ({ state }: LoadedCapability) => state !== 'excluded' && state !== 'failed'
  const names = new Set(capabilities.filter(isOn).map(({ name }) => name))
  return {
    ...caller,
    capabilities,
    may: ability =>
      (caller.operator || !ability.startsWith('operator/')) &&
      caller.scopes.some(scope => abilityCovers(scope, ability)),
    has: plugin => names.has(plugin),
    mayHave: plugin => known === undefined || names.has(plugin),
  }
}
