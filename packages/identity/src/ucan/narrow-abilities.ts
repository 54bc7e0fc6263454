import { abilityCovers } from './capability.ts'

/**
 * Returns what two lists of abilities and patterns both cover. The result never covers more than either of them.
 *
 * @example narrowAbilities(['chat/*', 'memory/read'], ['chat/send', 'memory/*']) // ['chat/send', 'memory/read']
 */
export const narrowAbilities = (one: readonly string[], other: readonly string[]): string[] => {
  const within = (scopes: readonly string[], limits: readonly string[]) =>
    scopes.filter(scope => limits.some(limit => abilityCovers(limit, scope)))
  return [...new Set([...within(one, other), ...within(other, one)])]
}
