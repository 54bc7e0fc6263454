import { didText, entityType } from '@sibyl/protocol'
import { z } from 'zod'
import { entityIdOf, isSameDid } from '../records/entity-did.ts'
import type { Change } from './change.ts'

/** Which changes somebody wants; all of it must hold. */
export const changeFilters = z.object({
  /** Of entities of this type. */
  type: entityType.optional(),
  /** Of entities under this protocol. */
  protocol: didText.optional(),
  /** Of this entity. */
  did: didText.optional(),
})

/** What `changeFilters` reads. */
export type ChangeFilters = z.infer<typeof changeFilters>

/** Whether a change is wanted. */
export const matchesFilters = ({ type, protocol, did }: ChangeFilters, change: Change): boolean =>
  (type === undefined || change.type === type) &&
  (protocol === undefined || (change.protocol !== undefined && isSameDid(change.protocol, protocol))) &&
  (did === undefined || (change.entityId === entityIdOf(did) && isSameDid(change.did, did)))
