import type {
  CredentialEntry,
  DomainClass,
  EntityCreation,
  EntityEventRecord,
  EntityStatus,
  JsonValue,
  Properties,
  ServiceEntry,
} from '@sibyl/protocol'

/** An entity as it stands in the database, without its edges. */
export interface StoredEntity {
  /** The last part of its DID: 26 characters of Crockford base32 in lower case (a UUIDv7), so that ids are ordered by time. */
  readonly id: string
  /** The whole DID, as it was when it was created. */
  readonly did: string
  readonly type: string
  readonly domainClass: DomainClass
  readonly controller: string
  /** The DID that control is offered to. */
  readonly pendingController?: string
  readonly status: EntityStatus
  readonly protocol?: { readonly did: string; readonly version: number }
  readonly properties: Properties
  readonly services: readonly ServiceEntry[]
  readonly credentials: readonly CredentialEntry[]
  readonly alsoKnownAs: readonly string[]
  /** Of a Protocol, as posted. */
  readonly claim?: JsonValue
  /** Of a Protocol: its newest version, and what else was posted of it. */
  readonly definition?: PostedDefinition
  /** Counts the changes, from 1. */
  readonly version: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
  /** The hash of its last event, in hex. */
  readonly hash: string
}

export type KnownEntities = ReadonlyMap<string, StoredEntity>

/** Members of a Protocol's record besides its `properties` and `claim`. */
export interface PostedDefinition {
  /** Counts the versions that entities are validated against, from 1. */
  readonly version: number
  /** Name to the kind of entity. */
  readonly relationships: Readonly<Record<string, string>>
  /** The class of its entities, where it says one. */
  readonly domainClass?: DomainClass
  /** Versions that take no entities and no claims any more, in ascending order. */
  readonly retired?: readonly number[]
}

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
  /** The content of its event. */
  readonly change: JsonValue
  readonly addedEdges: readonly Edge[]
  readonly removedEdges: readonly Edge[]
}

/** The body of a creation, with its credentials as they are stored. */
export interface NewEntity extends Omit<EntityCreation, 'verifiableCredential'> {
  readonly verifiableCredential?: readonly CredentialEntry[]
}

/** An entity before it is signed: it has no new version, time and hash yet. */
export type UnsignedEntity = Omit<StoredEntity, 'version' | 'updatedAt' | 'hash'>
