import { abilityCovers } from '@sibyl/identity/browser'

/** The user who signed in, with their rights: `GET /me`. */
export interface Caller {
  readonly did: string
  readonly scopes: readonly string[]
  readonly operator: boolean
}

/** A plugin of the oracle, or one of its capabilities: `GET /capabilities`. */
export interface LoadedCapability {
  readonly name: string
  /** Missing for a plugin. */
  readonly plugin?: string
  readonly title: string
  readonly summary: string
  readonly state: 'ready' | 'pending' | 'degraded' | 'failed' | 'excluded'
}

/** Rights of the user, which decide what views show. The oracle checks each request itself. */
export interface Access extends Caller {
  /** Plugins and capabilities of the oracle, with those that are off. */
  readonly capabilities: readonly LoadedCapability[]
  /** Returns whether the user has an ability such as `chat/send`. */
  may(ability: string): boolean
  /** Returns whether a plugin is on. */
  has(plugin: string): boolean
}

/** Creates the rights of a user. */
export const createAccess = (caller: Caller, capabilities: readonly LoadedCapability[]): Access => {
  const isOn = ({ state }: LoadedCapability) => state !== 'excluded' && state !== 'failed'
  const names = new Set(capabilities.filter(isOn).map(({ name }) => name))
  return {
    ...caller,
    capabilities,
    may: ability =>
      (caller.operator || !ability.startsWith('operator/')) &&
      caller.scopes.some(scope => abilityCovers(scope, ability)),
    has: plugin => names.has(plugin),
  }
}
