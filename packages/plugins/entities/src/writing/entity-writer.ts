import type { CredentialEntry, EntityCreation, EntityPatch } from '@sibyl/protocol'
import type { ExpectedVersions } from '../records/etag.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesTransaction } from '../storage/entities-tables.ts'

/** Who changes an entity. */
export interface Writer {
  /** The DID that controls what it creates. */
  readonly did: string
  /** Whether an operator's API key writes, which may make any DID the controller. */
  readonly isOperators?: boolean
}

/** The body of a creation, with its credentials as they are stored. */
export interface NewEntity extends Omit<EntityCreation, 'verifiableCredential'> {
  readonly verifiableCredential?: readonly CredentialEntry[]
}

/** The state that a change is made from: a version, those of an `If-Match`, or `any`. */
export type Expected = number | ExpectedVersions

/** A change that was made, as it is answered. */
export interface Written {
  readonly entity: StoredEntity
  readonly relationships: Readonly<Record<string, readonly string[]>>
  /** Whether it is the answer to an earlier request of the same `Idempotency-Key`. */
  readonly repeated?: boolean
}

/**
 * Changes entities: validates everything, reports all faults at once, and writes the entity, its event, its edges and all
 * projections in one transaction. Changes that come at the same time share one.
 */
export interface EntityWriter {
  /** Throws `entity_invalid` (422, with `issues`), `protocol_unknown`, `protocol_version_superseded` (403), `protocol_version_retired`, `controller_consent_missing` (403), `idempotency_key_reused` (422), `signing_key_missing` (503). */
  create(creation: NewEntity, by: Writer, idempotencyKey?: string): Promise<Written>
  /** Throws `entity_not_found`, `not_controller` (403), `etag_stale` (412), `entity_deactivated` (409), `last_membership_group` (409), `entity_invalid`, and of a creation what concerns protocol and controller. What a patch leaves as it is makes no version. */
  update(did: string, patch: EntityPatch, by: Writer, expected: Expected): Promise<Written>
  deactivate(did: string, by: Writer, expected: Expected): Promise<Written>
  /** Takes an entity from a person who is erased, by its id: see `erasureTask`. Throws `signing_key_missing`. */
  erase(id: string, did: string): Promise<Written>
  /** Adds or removes edges from an entity, as its controller. */
  relate(
    did: string,
    relationship: string,
    targets: readonly string[],
    by: Writer,
    expected?: Expected,
  ): Promise<Written>
  unrelate(
    did: string,
    relationship: string,
    targets: readonly string[],
    by: Writer,
    expected?: Expected,
  ): Promise<Written>
  /** For other plugins, in their transaction: see `EntityDirectory`. */
  addCredential(
    entry: { did: string; id: string; type: string; issuer: string; by: string },
    tx: EntitiesTransaction,
  ): Promise<void>
  removeCredential(entry: { did: string; id: string; by: string }, tx: EntitiesTransaction): Promise<void>
}
