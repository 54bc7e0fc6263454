import type { Actor, Host } from '@sibyl/plugin'
import type { Generated, JsonColumn } from '@sibyl/plugin/storage'
import type {
  CredentialEntry,
  DomainClass,
  EntityEventRecord,
  EntityStatus,
  JsonValue,
  ServiceEntry,
} from '@sibyl/protocol'
import type { PlaceRow } from '../places/place-of.ts'
import type { ProtocolDefinition } from '../records/protocol-definition.ts'
import type { PostedDefinition } from '../records/stored-entity.ts'

/** The tables of this plugin. Times are milliseconds since 1970. */
export interface EntitiesTables {
  entities_entities: EntityRow
  entities_replies: ReplyRow
  entities_events: EventRow
  entities_snapshots: SnapshotRow
  entities_document_changes: DocumentChangeRow
  entities_listing: ListingRow
  entities_places: PlaceRow
  entities_protocols: ProtocolRow
  entities_edges: EdgeRow
  entities_change_clock: {
    /** `transactions`. */
    name: string
    /** PostgreSQL: offset of transaction numbers, which start again when a database is moved. */
    past: number
  }
  entities_webhooks: WebhookRow
  /** SQLite only: document numbers for FTS5, in order of creation. */
  entities_search_documents: { document: number; entity_id: string }
}

/** The database as this plugin sees it. */
export type EntitiesStorage = Host<unknown, EntitiesTables>['storage']

/** A transaction of `EntitiesStorage.write`. */
export type EntitiesTransaction = Parameters<Parameters<EntitiesStorage['write']>[0]>[0]

/** An entity in its current state. */
export interface EntityRow {
  id: string
  did: string
  type: string
  domain_class: DomainClass
  controller: string
  status: EntityStatus
  /** DID of the protocol; null without one. */
  protocol: string | null
  protocol_version: number | null
  /** All other members of `StoredEntity`. */
  details: JsonColumn<EntityDetails>
  version: number
  created_at: number
  updated_at: number
  hash: string
}

/** Members of an entity that no query selects by. */
export interface EntityDetails {
  readonly properties: Record<string, JsonValue>
  readonly pendingController?: string
  readonly services?: readonly ServiceEntry[]
  readonly credentials?: readonly CredentialEntry[]
  readonly alsoKnownAs?: readonly string[]
  readonly claim?: JsonValue
  readonly definition?: PostedDefinition
}

/** Response to a creation with an `Idempotency-Key`, kept for 24 hours. */
export interface ReplyRow {
  /** Hash of the sender and the key. */
  key: string
  /** Hash of the body. */
  request_hash: string
  entity_id: string
  /** Body of the response. */
  reply: string
  created_at: number
}

/** One change of an entity: a link of its chain of hashes. */
export interface EventRow {
  /** Number of the event of this oracle; with `transaction` it is the position for followers of changes. */
  sequence: Generated<number>
  /** PostgreSQL: number of the writing transaction, increased when the database is moved; on SQLite 0. */
  transaction: Generated<number>
  entity_id: string
  /** The entity's version after it. */
  version: number
  kind: EntityEventRecord['kind']
  at: number
  by: string
  change: JsonColumn<JsonValue>
  /** Hash of the previous event, in hex; empty for the first. */
  previous_hash: string
  hash: string
  /** The oracle's Ed25519 signature over the hash, multibase. */
  signature: string
  /** The did:key that signed. */
  signer: string
  /** Set once content of the link was erased together with a person's data. */
  erasure: JsonColumn<LinkErasure, null>
}

/** The oracle's signature over a link whose content was erased. */
export interface LinkErasure {
  /** ISO 8601 with milliseconds, UTC. */
  readonly at: string
  /** Ed25519 over `sibyl erased link`, a NUL and the SHA-256 of the erased link, multibase base64url. */
  readonly signature: string
  /** The did:key that signed. */
  readonly signer: string
}

/** A state from which replays begin. It can be rebuilt from the events, so rows may be deleted at any time. */
export interface SnapshotRow {
  entity_id: string
  version: number
  /** JSON of a `PastEntity`, as signed. */
  state: string
  /** The oracle's Ed25519 signature, multibase. */
  signature: string
  /** The did:key that signed. */
  signer: string
}

/** Members of an entity that its DID document uses. */
export type DocumentMember = 'controller' | 'services' | 'alsoKnownAs' | 'status'

/** A version, from the second on, that changed the source of an entity's DID document. */
export interface DocumentChangeRow {
  entity_id: string
  member: DocumentMember
  version: number
}

/** Position of an entity in lists. */
export interface ListingRow {
  /** Number of the entity, in order of creation. */
  position: Generated<number>
  entity_id: string
}

/** A version of a protocol; it never changes. */
export interface ProtocolRow {
  /** The last part of the protocol's DID. */
  id: string
  version: number
  did: string
  definition: JsonColumn<ProtocolDefinition>
  created_at: number
}

/** An edge; both nodes are ids of entities, or other URIs. */
export interface EdgeRow {
  from_node: string
  relationship: string
  to_node: string
  created_at: number
}

/** A URL that changes are sent to. */
export interface WebhookRow {
  id: string
  /** DID of the caller who registered it. */
  owner: string
  /** DID whose limit it counts toward; null in rows from before the column existed: the owner. */
  holder: string | null
  /** Network that it was registered from, for limits by address. */
  origin: string | null
  /** The caller who registered it; null in rows from before the column existed. */
  maker: JsonColumn<Actor, null>
  url: string
  filters: JsonColumn<ChangeFilters>
  /** The did:key of the oracle that its secret is derived from. */
  signer: string
  /** `given-up` after too long without a delivery, `stopped` once the right of its maker has ended. */
  state: 'active' | 'given-up' | 'stopped'
  /** With `sequence` the position of the last completed change. */
  transaction: number
  sequence: number
  /** Number of the latest job that delivers to it; only that one may. */
  run: number
  /** Consecutive failed deliveries of the next change. */
  failures: number
  failing_since: number | null
  next_try_at: number | null
  /** Reason of the last failed delivery. */
  last_failure: string | null
  delivered_at: number | null
  created_at: number
}

/** Filters of changes for a follower; a change must match all. */
export interface ChangeFilters {
  readonly type?: string | undefined
  readonly protocol?: string | undefined
  readonly did?: string | undefined
}
