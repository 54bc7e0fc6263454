import { type Actor, abilityCovers, type Host, holdsAbility } from '@sibyl/plugin'
import { claimsFailures } from '../definitions/claims-errors.ts'

import type { Parties } from './parties.ts'

/** Caller of this plugin. */
export interface Caller {
  /** DID of the party that acts. */
  readonly did: string
  /** True if the caller may read all claims, as with an API key with the scope `read`. */
  readonly readsAll: boolean
}

/** Scope that a route requires of an API key, and ability that it requires of a UCAN. */
export interface Need {
  readonly scope: 'read' | 'write'
  readonly ability: 'claims/read' | 'claims/submit' | 'claims/evaluate' | 'claims/manage'
}

/** Returns the access of a route: a key of `ENTITIES_API_KEYS`, or a UCAN with the ability. */
export const openTo = (ability: Need['ability']) => ({ apiKey: 'ENTITIES_API_KEYS', orUcan: ability }) as const

/**
 * Returns the caller of a route. Core has already checked a UCAN against the route's ability; this checks the scope of
 * a key of `ENTITIES_API_KEYS`.
 *
 * @throws `scope_missing`
 */
export const callerOf = (actor: Actor | undefined, { scope, ability }: Need, parties: Parties): Caller => {
  if (!actor) throw claimsFailures.scope_missing({ scope: ability })
  const { did, via, scopes } = actor
  if (via === 'api-key' && !scopes.includes(scope) && !scopes.some(one => abilityCovers(one, ability))) {
    throw claimsFailures.scope_missing({ scope })
  }
  return { did: parties.partyOf(did), readsAll: via === 'api-key' && scopes.includes('read') }
}

/** Returns the caller of a tool. */
export const personOf = ({ did }: Pick<Actor, 'did'>, parties: Parties): Caller => ({
  did: parties.partyOf(did),
  readsAll: false,
})

/**
 * Returns the caller of `evaluate_claim`. The oracle signs approved claims, so the right to chat is not enough.
 *
 * @throws `scope_missing`
 */
export const evaluatorOf = (actor: Pick<Actor, 'did' | 'scopes'>, parties: Parties): Caller => {
  if (!holdsAbility(actor.scopes, 'claims/evaluate')) throw claimsFailures.scope_missing({ scope: 'claims/evaluate' })
  return personOf(actor, parties)
}

/**
 * Checks that the actor may create collections; the oracle signs what they approve. Allowed are the oracle, a key that
 * acts as it, its controllers, an operator who signed in, and holders of the ability `claims/manage` from one of these.
 * With `ORACLE_ACCESS=open` callers choose their own abilities, so the ability in a UCAN proves nothing.
 *
 * @throws `collection_maker_not_allowed`
 */
export const demandMaker = (actor: Actor | undefined, { access, grants }: Pick<Host, 'access' | 'grants'>): void => {
  const holds = (ability: string) => actor?.scopes.some(one => abilityCovers(one, ability)) ?? false
  const isGiven = actor?.via === 'api-key' || access.mode === 'delegated'
  if (actor && access.isTrusted(actor.did)) return
  if (isGiven && holds('claims/manage')) return
  if (actor && holds('operator/write') && grants.isOfOperator(actor)) return
  throw claimsFailures.collection_maker_not_allowed()
}
