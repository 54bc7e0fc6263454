import type { JsonObject, JsonValue } from '@sibyl/protocol'
import type { EntityCreation } from './entity-contract.ts'
import type { CredentialEntry, DomainClass, EntityStatus, ServiceEntry } from './entity-members.ts'
import type { EntityEventRecord } from './history-records.ts'

/** A stored entity, without its edges. */
export interface StoredEntity {
  /** The last part of its DID: 26 characters of Crockford base32 in lower case (a UUIDv7), so that ids are ordered by time. */
  readonly id: string
  /** The complete DID, as of the entity's creation. */
  readonly did: string
  readonly type: string
  readonly domainClass: DomainClass
  readonly controller: string
  /** DID that control is offered to. */
  readonly pendingController?: string
  readonly status: EntityStatus
  readonly protocol?: { readonly did: string; readonly version: number }
  readonly properties: Readonly<JsonObject>
  readonly services: readonly ServiceEntry[]
  readonly credentials: readonly CredentialEntry[]
  readonly alsoKnownAs: readonly string[]
  /** Of a Protocol, as posted. */
  readonly claim?: JsonValue
  /** Of a Protocol: its newest version, and the other posted members. */
  readonly definition?: PostedDefinition
  /** Number of changes. */
  readonly version: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
  /** Hash of its last event, in hex. */
  readonly hash: string
}

export type KnownEntities = ReadonlyMap<string, StoredEntity>

/** Members of a Protocol's record besides its `properties` and `claim`. */
export interface PostedDefinition {
  /** Number of the version that entities are validated against, from 1. */
  readonly version: number
  /** Kinds of entities by name. */
  readonly relationships: Readonly<Record<string, string>>
  /** The class of its entities, if it defines one. */
  readonly domainClass?: DomainClass
  /** Versions that accept no more entities and claims, in ascending order. */
  readonly retired?: readonly number[]
}

/** An edge of the graph. A node is an entity's id (26 characters), or another URI. */
export interface Edge {
  readonly from: string
  readonly relationship: string
  readonly to: string
}

/** One change of one entity, which one transaction writes. */
export interface EntityChange {
  readonly before: StoredEntity | undefined
  readonly after: StoredEntity
  readonly kind: EntityEventRecord['kind']
  /** DID of the writer. */
  readonly by: string
  /** The content of its event. */
  readonly change: JsonValue
  readonly addedEdges: readonly Edge[]
  readonly removedEdges: readonly Edge[]
}

/** The body of a creation, with its credentials in stored form. */
export interface NewEntity extends Omit<EntityCreation, 'verifiableCredential'> {
  readonly verifiableCredential?: readonly CredentialEntry[]
}

/** An entity before it is signed, without its new version, time and hash. */
export type UnsignedEntity = Omit<StoredEntity, 'version' | 'updatedAt' | 'hash'>
