import type { EntityCreation, EntityPatch, EntityRegistry, JsonValue } from '@sibyl/protocol'
import type { Controller } from './controller.ts'
import type { RegistryNode } from './registry-node.ts'

/** Something that a registry is asked to do. */
export type RegistryWrite =
  | { readonly kind: 'create'; readonly creation: EntityCreation; readonly idempotencyKey: string }
  | { readonly kind: 'update'; readonly did: string; readonly patch: EntityPatch; readonly etag: string }
  | { readonly kind: 'deactivate'; readonly did: string; readonly etag: string }

/** A registry with somebody who acts there. */
export interface OpenedRegistry {
  readonly node: RegistryNode
  readonly controller: Controller
  /** Throws `CommandError`s that say what to do. */
  readonly registry: EntityRegistry
  /** What would be sent, but for the credential; nothing is. */
  preview(write: RegistryWrite): Promise<JsonValue>
  /** Lets go of the connection and of the node. */
  close(): Promise<void>
}
