import { sameDid } from '@sibyl/protocol'
import type { Parties } from '../access/parties.ts'
import { entitiesFailures } from '../errors/entities-errors.ts'
import type { EntityPatch } from '../records/entity-contract.ts'
import { entityIdOf } from '../records/entity-did.ts'
import type { ExpectedVersions } from '../records/etag.ts'
import type { KnownEntities, StoredEntity } from '../records/stored-entity.ts'
import type { WritingDependencies } from './write-task.ts'

/** The caller who names a controller. */
export interface Assigner {
  /** DID of the writer. */
  readonly by: string
  /** True for an operator's API key. */
  readonly isOperators: boolean
}

/** A request to change an existing entity. */
export interface ChangeRequest extends Assigner {
  readonly did: string
  readonly expected: ExpectedVersions
}

/** Returns the id in a DID, for reading the entity; an empty list if the DID has none. */
export const idsOf = (did: string): readonly string[] => {
  const id = entityIdOf(did)
  return id === undefined ? [] : [id]
}

/**
 * Returns the entity to change, if the change is allowed.
 *
 * @param isAnswer whether the change only answers an offer, which its recipient may do as well
 * @throws `entity_not_found`, `not_controller`, `entity_deactivated`, `etag_stale`, in this order
 */
export const changeableEntity = (
  { parties }: Pick<WritingDependencies, 'parties'>,
  known: KnownEntities,
  { did, by, expected }: ChangeRequest,
  isAnswer = false,
): StoredEntity => {
  const entity = known.get(entityIdOf(did) ?? '')
  if (!entity || !sameDid(entity.did, did)) throw entitiesFailures.entity_not_found()
  const { controller, pendingController } = entity
  const isOffered = isAnswer && pendingController !== undefined && parties.isSame(pendingController, by)
  if (!isOffered && !parties.isSame(controller, by)) throw entitiesFailures.not_controller({ did: entity.did })
  if (entity.status !== 'active') throw entitiesFailures.entity_deactivated({ did: entity.did })
  if (expected !== 'any' && !expected.includes(entity.version)) throw entitiesFailures.etag_stale()
  return entity
}

/**
 * Checks that a controller is the caller, is the controller already, or is named by an operator.
 *
 * @throws `controller_consent_missing`
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

/** Returns whether a patch only accepts or declines an offer, which is all that its recipient may do. */
export const answersOffer = (parties: Parties, patch: EntityPatch, by: string): boolean => {
  const [member, ...others] = Object.keys(patch)
  if (others.length > 0) return false
  if (member === 'controller') return patch.controller !== undefined && parties.isSame(patch.controller, by)
  return member === 'pendingController' && patch.pendingController === null
}
