import { type Actor, abilityCovers, type HostAccess, holdsAbility } from '@sibyl/plugin'
import { claimsFailures } from '../definitions/claims-errors.ts'

import type { Parties } from './parties.ts'

/** Who asks something of this plugin. */
export interface Caller {
  /** The party that acts. */
  readonly did: string
  /** Whether all claims may be read, as with an API key of the scope `read`. */
  readonly readsAll: boolean
}

/** What a route needs of an API key, and what of the abilities of a UCAN. */
export interface Need {
  readonly scope: 'read' | 'write'
  readonly ability: 'claims/read' | 'claims/submit' | 'claims/evaluate' | 'claims/manage'
}

/** Returns the access of a route: a key of `ENTITIES_API_KEYS`, or a UCAN with the ability. */
export const openTo = (ability: Need['ability']) => ({ apiKey: 'ENTITIES_API_KEYS', orUcan: ability }) as const

/**
 * Who calls a route. A UCAN was checked against the route's ability already; a key of `ENTITIES_API_KEYS` is checked here.
 *
 * @throws ScopeMissing `scope_missing`
 */
export const callerOf = (actor: Actor | undefined, { scope, ability }: Need, parties: Parties): Caller => {
  if (!actor) throw claimsFailures.scope_missing({ scope: ability })
  const { did, via, scopes } = actor
  if (via === 'api-key' && !scopes.includes(scope) && !scopes.some(one => abilityCovers(one, ability))) {
    throw claimsFailures.scope_missing({ scope })
  }
  return { did: parties.partyOf(did), readsAll: via === 'api-key' && scopes.includes('read') }
}

/** Who asks through the agent. */
export const personOf = ({ did }: Pick<Actor, 'did'>, parties: Parties): Caller => ({
  did: parties.partyOf(did),
  readsAll: false,
})

/**
 * Returns who evaluates through the agent. The oracle signs what is approved, so that the right to chat is not enough.
 *
 * @throws ScopeMissing `scope_missing`
 */
export const evaluatorOf = (actor: Pick<Actor, 'did' | 'scopes'>, parties: Parties): Caller => {
  if (!holdsAbility(actor.scopes, 'claims/evaluate')) throw claimsFailures.scope_missing({ scope: 'claims/evaluate' })
  return personOf(actor, parties)
}

/**
 * Checks that somebody may make collections: what they approve, the oracle signs. So it takes the oracle itself, a key that
 * acts as it, one of its controllers, or the ability `claims/manage` that one of them gave; with `ORACLE_ACCESS=open`
 * everybody gives himself what abilities he likes, so that a UCAN's prove nothing.
 *
 * @throws MakerNotAllowed `collection_maker_not_allowed`
 */
export const demandMaker = (actor: Actor | undefined, access: HostAccess, parties: Parties): void => {
  const isGiven = actor?.via === 'api-key' || access.mode === 'delegated'
  const isOwn = actor && (parties.isSame(actor.did, parties.oracle) || access.controllers.includes(actor.did))
  if (isOwn || (isGiven && actor?.scopes.some(one => abilityCovers(one, 'claims/manage')))) return
  throw claimsFailures.collection_maker_not_allowed()
}
