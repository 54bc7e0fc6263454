import { defaultTokenLimits, isRefusal, readToken } from './read-token.ts'

/**
 * Returns the abilities and patterns that delegations name for a resource. Nothing is verified: it is for the holder, who
 * chooses what to claim with them.
 *
 * @param delegations encoded UCANs; one that cannot be read grants nothing
 */
export const grantedAbilities = (delegations: readonly string[], resource: string): string[] => {
  const capabilities = delegations.flatMap(delegation => {
    const read = readToken(delegation, defaultTokenLimits)
    return isRefusal(read) ? [] : read.claims.capabilities
  })
  return [...new Set(capabilities.filter(it => it.resource === resource).map(it => it.ability))]
}
