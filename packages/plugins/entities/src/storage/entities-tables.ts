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
  entities_protocols: ProtocolRow
  entities_edges: EdgeRow
  entities_change_clock: {
    /** `transactions`. */
    name: string
    /** PostgreSQL: what is added to the number of a transaction, which starts again when a database is moved. */
    past: number
  }
  entities_webhooks: WebhookRow
  /** SQLite alone: numbers for FTS5, in the order in which entities came. */
  entities_search_documents: { document: number; entity_id: string }
}

/** The database as this plugin sees it. */
export type EntitiesStorage = Host<unknown, EntitiesTables>['storage']

/** A transaction of `EntitiesStorage.write`. */
export type EntitiesTransaction = Parameters<Parameters<EntitiesStorage['write']>[0]>[0]

/** An entity as it is now. */
export interface EntityRow {
  id: string
  did: string
  type: string
  domain_class: DomainClass
  controller: string
  status: EntityStatus
  /** The protocol's DID; null where it follows none. */
  protocol: string | null
  protocol_version: number | null
  /** All else of `StoredEntity`. */
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

/** The answer to a creation with an `Idempotency-Key`, for 24 hours. */
export interface ReplyRow {
  /** A hash over who sent it and the key. */
  key: string
  /** A hash over the body. */
  request_hash: string
  entity_id: string
  /** The body of the answer. */
  reply: string
  created_at: number
}

/** One change of an entity: a link of its chain of hashes. */
export interface EventRow {
  /** Counts all events of the oracle; with `transaction` what followers of changes go by. */
  sequence: Generated<number>
  /** On PostgreSQL the number of the transaction that wrote it, counted on when the database is moved; on SQLite 0. */
  transaction: Generated<number>
  entity_id: string
  /** The entity's version after it. */
  version: number
  kind: EntityEventRecord['kind']
  at: number
  by: string
  change: JsonColumn<JsonValue>
  /** Of the event before, in hex; empty for the first. */
  previous_hash: string
  hash: string
  /** The oracle's Ed25519 signature over the hash, multibase. */
  signature: string
  /** The did:key that signed. */
  signer: string
  /** Set once the link says less than it did, because a person was erased. */
  erasure: JsonColumn<LinkErasure, null>
}

/** The oracle's signature that a link says less than it did, because a person was erased. */
export interface LinkErasure {
  /** ISO 8601 with milliseconds, UTC. */
  readonly at: string
  /** Ed25519 over `sibyl erased link`, a NUL and the SHA-256 of the erased link, multibase base64url. */
  readonly signature: string
  /** The did:key that signed. */
  readonly signer: string
}

/** A state that replays begin at. It follows from the events, so that rows may be deleted at any time. */
export interface SnapshotRow {
  entity_id: string
  version: number
  /** The JSON of a `PastEntity`, as it was signed. */
  state: string
  /** The oracle's Ed25519 signature, multibase. */
  signature: string
  /** The did:key that signed. */
  signer: string
}

/** Members of an entity that its DID document is made of. */
export type DocumentMember = 'controller' | 'services' | 'alsoKnownAs' | 'status'

/** A version, from the second on, that changed what stands in the DID document of an entity. */
export interface DocumentChangeRow {
  entity_id: string
  member: DocumentMember
  version: number
}

/** Position of an entity in lists. */
export interface ListingRow {
  /** Counts entities as they are created. */
  position: Generated<number>
  entity_id: string
}

/** A version of a protocol; never changed once it is there. */
export interface ProtocolRow {
  /** The last part of the protocol's DID. */
  id: string
  version: number
  did: string
  definition: JsonColumn<ProtocolDefinition>
  created_at: number
}

/** An edge; both nodes are ids of entities, or URIs of something else. */
export interface EdgeRow {
  from_node: string
  relationship: string
  to_node: string
  created_at: number
}

/** An address that changes are sent to. */
export interface WebhookRow {
  id: string
  /** The DID of who registered it. */
  owner: string
  /** The DID that it counts for; null in rows of before it was stored: the owner. */
  holder: string | null
  /** The network that it was registered from, where addresses share the places. */
  origin: string | null
  /** The caller who registered it; null in rows of before it was stored. */
  maker: JsonColumn<Actor, null>
  url: string
  filters: JsonColumn<ChangeFilters>
  /** The did:key of the oracle that its secret is derived from. */
  signer: string
  /** `given-up` once nothing was taken for too long, `stopped` once the right of its maker has ended. */
  state: 'active' | 'given-up' | 'stopped'
  /** With `sequence` the position of the last change that is done with. */
  transaction: number
  sequence: number
  /** Counts the jobs that deliver to it: only the latest may. */
  run: number
  /** Failed deliveries in a row of the next change. */
  failures: number
  failing_since: number | null
  next_try_at: number | null
  /** Reason of the last failed delivery. */
  last_failure: string | null
  delivered_at: number | null
  created_at: number
}

/** The changes that a follower selects; all of it must hold. */
export interface ChangeFilters {
  readonly type?: string | undefined
  readonly protocol?: string | undefined
  readonly did?: string | undefined
}
