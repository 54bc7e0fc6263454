import type { EntityEventRecord, JsonValue } from '@sibyl/protocol'
import type { StoredEntity } from './stored-entity.ts'

/** An edge of the graph. A node is an entity's id (26 characters), or the URI of something else. */
export interface Edge {
  readonly from: string
  readonly relationship: string
  readonly to: string
}

/** One change of one entity: all that is written of it, in one transaction. */
export interface EntityChange {
  readonly before: StoredEntity | undefined
  readonly after: StoredEntity
  readonly kind: EntityEventRecord['kind']
  /** The DID of who changed it. */
  readonly by: string
  /** What stands in its event. */
  readonly change: JsonValue
  readonly addedEdges: readonly Edge[]
  readonly removedEdges: readonly Edge[]
}
