import type { EntityPatch } from '@sibyl/protocol'
import type { Parties } from '../access/parties.ts'
import { entitiesFailures } from '../entities-errors.ts'

/** Who asks for a controller. */
export interface Assigner {
  /** The DID of who writes. */
  readonly by: string
  /** Whether an operator's API key writes. */
  readonly isOperators: boolean
}

/**
 * Lets through a controller who writes himself, who is the controller already, or whom an operator names.
 *
 * @throws ControllerConsentMissing `controller_consent_missing`
 */
export const assertConsent = (
  parties: Parties,
  { by, isOperators }: Assigner,
  wanted: string | undefined,
  present: string = by,
): void => {
  if (wanted === undefined || isOperators || parties.isSame(wanted, by) || parties.isSame(wanted, present)) return
  throw entitiesFailures.controller_consent_missing({ did: parties.partyOf(wanted) })
}

/** Whether a patch says nothing but that an offer is accepted or declined: all that whom an entity is offered to may do. */
export const answersOffer = (parties: Parties, patch: EntityPatch, by: string): boolean => {
  const [member, ...others] = Object.keys(patch)
  if (others.length > 0) return false
  if (member === 'controller') return patch.controller !== undefined && parties.isSame(patch.controller, by)
  return member === 'pendingController' && patch.pendingController === null
}
