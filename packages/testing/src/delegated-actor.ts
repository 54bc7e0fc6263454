import { createSigningKey, mintDelegation, mintInvocation, type SigningKey, signRevocation } from '@sibyl/identity'
import { callWith, type TestActor, type TestTarget } from './test-actor.ts'

/** A key that delegates its rights, with the delegations that it holds them by. */
export interface Grantor {
  readonly key: SigningKey
  readonly proofs?: readonly string[]
}

/** An actor that holds its rights by a chain of delegations. */
export interface DelegatedActor extends TestActor {
  readonly proofs: readonly string[]
  /** Has the grantor revoke its delegation. @param at The process that is called. @default the actor's own */
  revoke(at?: Pick<TestTarget, 'request'>): Promise<Response>
}

/** Options of `delegatedActor`. */
export interface DelegationOptions {
  /** The abilities that the grantor delegates. @default ['*'] */
  readonly abilities?: readonly string[]
  /** @default 30 days */
  readonly lifetimeSeconds?: number | undefined
  /** The clock that tokens are dated by, in milliseconds. @default Date.now */
  readonly now?: () => number
}

/**
 * Makes an actor with a fresh key that a grantor gave rights. Limits of a chain count its first holder, so a further
 * link has no limits of its own.
 *
 * @example
 * const holder = await delegatedActor(oracle.app, { key: controller })
 * const further = await delegatedActor(oracle.app, holder)
 */
export const delegatedActor = async (
  target: TestTarget,
  { key: root, proofs: held = [] }: Grantor,
  { abilities = ['*'], lifetimeSeconds = 2_592_000, now = Date.now }: DelegationOptions = {},
): Promise<DelegatedActor> => {
  const audience = target.identity.did
  if (audience === undefined) throw new Error('The oracle has no signing key. Set ORACLE_MNEMONIC.')
  const key = createSigningKey()
  const resource = `oracle:${audience}`
  const grant = { audience: key.did, resource, abilities, lifetimeSeconds, proofs: [...held], now }
  const delegation = await mintDelegation({ ...grant, key: root })
  const proofs = [delegation]
  const token = (wanted: readonly string[] = abilities) =>
    mintInvocation({ key, audience, resource, abilities: wanted, proofs, now })
  return {
    did: key.did,
    key,
    proofs,
    token,
    request: callWith(target, token),
    async revoke(at = target) {
      const body = JSON.stringify({ ...(await signRevocation(root, delegation)), token: delegation })
      return at.request('/revocations', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    },
  }
}
