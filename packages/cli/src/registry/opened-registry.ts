import type { EntityCreation, EntityPatch, EntityRegistry } from '@sibyl/plugin-entities/records'
import type { JsonValue } from '@sibyl/protocol'
import type { Controller } from './controller.ts'
import type { RegistryNode } from './registry-node.ts'

export type RegistryWrite =
  | { readonly kind: 'create'; readonly creation: EntityCreation; readonly idempotencyKey: string }
  | { readonly kind: 'update'; readonly did: string; readonly patch: EntityPatch; readonly etag: string }
  | { readonly kind: 'deactivate'; readonly did: string; readonly etag: string }

export interface OpenRegistryOptions {
  /** Cancels operations on a chain, with its reason. @default never */
  readonly signal?: AbortSignal
}

export interface OpenedRegistry {
  readonly node: RegistryNode
  readonly controller: Controller
  /** Throws `CommandError`s with remedies. */
  readonly registry: EntityRegistry
  /** Returns the request without the credential, and sends nothing. */
  preview(write: RegistryWrite): Promise<JsonValue>
  /** Removes the local record that makes a creation idempotent; its key is not used again. */
  forget(idempotencyKey: string): Promise<void>
  /** Closes the connection and the node. */
  close(): Promise<void>
}
