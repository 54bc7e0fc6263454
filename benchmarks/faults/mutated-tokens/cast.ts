import { mintDelegation, mintInvocation, type SigningKey, signingKeyFromSecret } from '@sibyl/identity'
import type { Random } from '../frame/random.ts'

/** A token that is accepted, and what it was made of. */
export interface GoodToken {
  readonly token: string
  readonly key: SigningKey
  readonly payload: Readonly<Record<string, unknown>>
}

/** Receiver of the tokens. */
export interface Receiver {
  readonly did: string
  readonly publicDid: string
  /** Ability that the route requires. */
  readonly ability: string
}

/**
 * Parties of the run: the controller owns access, alice has it from the controller, bob from alice, mallory has none.
 */
export interface Cast extends Receiver {
  readonly resource: string
  readonly keys: CastKeys
  /** Seconds since 1970. */
  readonly now: number
  /** Tokens of the controller, of alice with one proof and of bob with two below each other. */
  readonly good: readonly GoodToken[]
  /** The delegations to alice and to bob, and one to alice of something else. */
  readonly proofs: { readonly alice: string; readonly bob: string; readonly narrow: string }
}

/** The keys of those who play. */
export interface CastKeys {
  readonly controller: SigningKey
  readonly alice: SigningKey
  readonly bob: SigningKey
  readonly mallory: SigningKey
}

/** Makes the keys; a seed makes the same ones again. */
export const makeKeys = (random: Random): CastKeys => {
  const key = () => signingKeyFromSecret(random.bytes(32))
  return { controller: key(), alice: key(), bob: key(), mallory: key() }
}

/** Mints the good tokens. @param now the clock, milliseconds since 1970 */
export const makeCast = async (receiver: Receiver, keys: CastKeys, now: () => number): Promise<Cast> => {
  const { controller, alice, bob } = keys
  const resource = `oracle:${receiver.did}`
  const common = { resource, now }
  const abilities = [receiver.ability]
  const aliceProof = await mintDelegation({ ...common, key: controller, audience: alice.did, abilities })
  const bobProof = await mintDelegation({ ...common, key: alice, audience: bob.did, abilities, proofs: [aliceProof] })
  const narrow = await mintDelegation({ ...common, key: controller, audience: alice.did, abilities: ['other/thing'] })
  const good = async (key: SigningKey, audience: string, proofs: readonly string[]): Promise<GoodToken> => {
    const token = await mintInvocation({ ...common, key, audience, abilities, proofs, lifetimeSeconds: 600 })
    return { token, key, payload: JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) }
  }
  return {
    ...receiver,
    resource,
    keys,
    now: Math.floor(now() / 1000),
    proofs: { alice: aliceProof, bob: bobProof, narrow },
    good: [
      await good(controller, receiver.did, []),
      await good(alice, receiver.publicDid, [aliceProof]),
      await good(bob, receiver.did, [bobProof]),
    ],
  }
}
