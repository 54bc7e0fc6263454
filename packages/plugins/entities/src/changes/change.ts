import { sameDid } from '@sibyl/protocol'
import { z } from 'zod'
import { entityIdOf } from '../records/entity-did.ts'
import type { EntityEventRecord } from '../records/history-records.ts'
import type { ChangeFilters } from '../storage/entities-tables.ts'

/** A position in the order of all changes: the writing transaction, then the number within it. */
export interface ChangePosition {
  readonly transaction: number
  readonly sequence: number
}

/** Before the first change. */
export const firstPosition: ChangePosition = { transaction: 0, sequence: 0 }

/** Returns a position as the id of an event: `0-17`. */
export const positionText = ({ transaction, sequence }: ChangePosition): string => `${transaction}-${sequence}`

/** Parses the id of an event; undefined if it is invalid. */
export const parsePosition = (text: string): ChangePosition | undefined => {
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(text)
  return match ? { transaction: Number(match[1]), sequence: Number(match[2]) } : undefined
}

export const isAfter = (one: ChangePosition, other: ChangePosition): boolean =>
  one.transaction > other.transaction || (one.transaction === other.transaction && one.sequence > other.sequence)

/** A change as followers receive it: the entity that changed, without its content. */
export interface Change {
  readonly position: ChangePosition
  readonly entityId: string
  readonly did: string
  readonly type: string
  readonly protocol: string | undefined
  readonly kind: EntityEventRecord['kind']
  readonly version: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** DID of the writer. */
  readonly by: string
}

export const matchesFilters = ({ type, protocol, did }: ChangeFilters, change: Change): boolean =>
  (type === undefined || change.type === type) &&
  (protocol === undefined || (change.protocol !== undefined && sameDid(change.protocol, protocol))) &&
  (did === undefined || (change.entityId === entityIdOf(did) && sameDid(change.did, did)))

/** Schema of a change as it is sent, without the content of the entity. */
export const changeRecord = z.object({
  did: z.string(),
  type: z.string(),
  protocol: z.string().optional(),
  kind: z.enum(['created', 'updated', 'deactivated', 'related', 'unrelated', 'credential-added', 'credential-removed']),
  /** The entity's version after it. */
  version: z.int(),
  at: z.iso.datetime(),
  /** DID of the writer. */
  by: z.string(),
})

export type ChangeRecord = z.infer<typeof changeRecord>

export const changeRecordOf = ({ did, type, protocol, kind, version, at, by }: Change): ChangeRecord => ({
  did,
  type,
  protocol,
  kind,
  version,
  at: new Date(at).toISOString(),
  by,
})
