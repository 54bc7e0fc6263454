import { type ServiceToken, serviceToken } from '@sibyl/protocol'
import type { EntityCreation, EntityPatch, EntityRecord } from './entity-contract.ts'

/** An entity, and the ETag of this state of it. */
export interface RegisteredEntity {
  readonly entity: EntityRecord
  readonly etag: string
}

/** Where entities are registered: an oracle with the entities plugin, reached by HTTP, or a chain. */
export interface EntityRegistry {
  /**
   * Registers an entity.
   *
   * @param options.idempotencyKey The same key and body again give the same entity, for a day.
   */
  create(creation: EntityCreation, options?: { readonly idempotencyKey?: string }): Promise<RegisteredEntity>
  /** An entity; undefined where the registry knows none of that DID. */
  get(did: string): Promise<RegisteredEntity | undefined>
  /** Changes an entity, as its controller. @param etag the state that the change is made from */
  update(did: string, patch: EntityPatch, etag: string): Promise<RegisteredEntity>
  /** Takes an entity out of use, as its controller. */
  deactivate(did: string, etag: string): Promise<RegisteredEntity>
}

/** The registry of this oracle, for other plugins; it acts as the oracle. */
export const entityRegistry: ServiceToken<EntityRegistry> = serviceToken('entity-registry')
