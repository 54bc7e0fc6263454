import { mintInvocation } from '@sibyl/identity'
import type { OpenedOracle } from './open-oracle.ts'

/**
 * Signs an invocation for one request of the user, with their delegation. Its clock is ahead by `aheadMs`.
 *
 * @throws InvalidMintRequestError when the delegation does not allow the abilities
 */
export const signInvocation = async (
  { key, oracle, delegation }: OpenedOracle,
  abilities: readonly string[],
  { lifetimeSeconds = 60, aheadMs = 0 } = {},
): Promise<string> => {
  const audience = oracle.did ?? oracle.publicDid
  const proofs = delegation ? [delegation.token] : []
  const now = () => Date.now() + aheadMs
  return mintInvocation({ key, audience, resource: `oracle:${audience}`, abilities, lifetimeSeconds, proofs, now })
}
