import type { EntityEventRecord } from '@sibyl/protocol'
import type { ChangePosition } from './change-position.ts'

/** A change, as followers hear of it: what changed, and not to what. */
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
  /** The DID of who changed it. */
  readonly by: string
}
