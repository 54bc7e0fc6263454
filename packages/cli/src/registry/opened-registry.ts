import type { EntityCreation, EntityPatch, EntityRegistry, JsonValue } from '@sibyl/protocol'
import type { Controller } from './controller.ts'
import type { RegistryNode } from './registry-node.ts'

export type RegistryWrite =
  | { readonly kind: 'create'; readonly creation: EntityCreation; readonly idempotencyKey: string }
  | { readonly kind: 'update'; readonly did: string; readonly patch: EntityPatch; readonly etag: string }
  | { readonly kind: 'deactivate'; readonly did: string; readonly etag: string }

export interface OpenRegistryOptions {
  /** Ends what runs on a chain, with its reason. @default never */
  readonly signal?: AbortSignal
}

/** A registry with somebody who acts there. */
export interface OpenedRegistry {
  readonly node: RegistryNode
  readonly controller: Controller
  /** Throws `CommandError`s that say what to do. */
  readonly registry: EntityRegistry
  /** What would be sent, but for the credential; nothing is. */
  preview(write: RegistryWrite): Promise<JsonValue>
  /** Drops what this computer keeps so that a creation is made once; its key is not used again. */
  forget(idempotencyKey: string): Promise<void>
  /** Lets go of the connection and of the node. */
  close(): Promise<void>
}
