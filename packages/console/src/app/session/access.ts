/** The user who signed in, with their rights: `GET /me`. */
export interface Caller {
  readonly did: string
  readonly scopes: readonly string[]
  readonly operator: boolean
}

/** A plugin or adapter of the oracle, as far as views depend on it. */
export interface LoadedPlugin {
  readonly name: string
  readonly state: string
}

/** Rights of the user, which decide what views show. The oracle checks each request itself. */
export interface Access extends Caller {
  /** Names of the plugins that are on. */
  readonly plugins: ReadonlySet<string>
  /** Returns whether the user has an ability such as `chat/send`. */
  may(ability: string): boolean
  /** Returns whether a plugin is on. */
  has(plugin: string): boolean
}

/** Creates the rights of a user. */
export const createAccess = (caller: Caller, plugins: readonly LoadedPlugin[]): Access => {
  const names = new Set(
    plugins.filter(({ state }) => state !== 'excluded' && state !== 'failed').map(({ name }) => name),
  )
  return {
    ...caller,
    plugins: names,
    may: ability =>
      ability.startsWith('operator/') && !caller.operator ? false : caller.scopes.some(scope => covers(scope, ability)),
    has: plugin => names.has(plugin),
  }
}

/** Returns whether a scope covers an ability; `*` does not cover those of the operator. */
const covers = (scope: string, ability: string): boolean =>
  scope === ability ||
  (scope === '*' && !ability.startsWith('operator/')) ||
  (scope.endsWith('/*') && ability.startsWith(scope.slice(0, -1)))
