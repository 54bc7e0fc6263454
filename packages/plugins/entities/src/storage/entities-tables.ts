import { type Actor, column, defineTable, type Host, type TablesOf } from '@sibyl/plugin'
import type { Selectable } from '@sibyl/plugin/storage'
import type { JsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import type { CredentialEntry, DomainClass, EntityStatus, ServiceEntry } from '../records/entity-members.ts'
import type { EntityEventRecord } from '../records/history-records.ts'
import type { ProtocolDefinition } from '../records/protocol-definition.ts'
import type { PostedDefinition } from '../records/stored-entity.ts'

/** An entity in its current state. */
const entities = defineTable(
  'entities_entities',
  {
    id: column.text().primaryKey(),
    did: column.text(),
    type: column.text(),
    domain_class: column.text<DomainClass>(),
    controller: column.text(),
    status: column.text<EntityStatus>(),
    /** DID of the protocol; null without one. */
    protocol: column.text().nullable(),
    protocol_version: column.integer().nullable(),
    /** All other members of `StoredEntity`. */
    details: column.json(z.custom<EntityDetails>()),
    version: column.integer(),
    created_at: column.timestamp(),
    updated_at: column.timestamp(),
    hash: column.text(),
  },
  { indexes: { entities_entities_controller: ['controller'], entities_entities_updated: ['updated_at'] } },
)

/** Response to a creation with an `Idempotency-Key`. */
const replies = defineTable(
  'entities_replies',
  {
    /** Hash of the sender and the key. */
    key: column.text().primaryKey(),
    /** Hash of the body. */
    request_hash: column.text(),
    entity_id: column.text(),
    /** Body of the response. */
    reply: column.text(),
    created_at: column.timestamp(),
  },
  { indexes: { entities_replies_age: ['created_at'] }, storedByKey: true },
)

/** One change of an entity: a link of its chain of hashes. */
const events = defineTable(
  'entities_events',
  {
    /** Number of the event of this oracle; with `transaction` it is the position for followers of changes. */
    sequence: column.serial(),
    /** PostgreSQL: number of the writing transaction, increased when the database is moved; on SQLite 0. */
    transaction: column.integer().default(0),
    entity_id: column.text(),
    /** The entity's version after it. */
    version: column.integer(),
    kind: column.text<EntityEventRecord['kind']>(),
    at: column.timestamp(),
    by: column.text(),
    change: column.json(z.custom<JsonValue>()),
    /** Hash of the previous event, in hex; empty for the first. */
    previous_hash: column.text(),
    hash: column.text(),
    /** The oracle's Ed25519 signature over the hash, multibase. */
    signature: column.text(),
    /** The did:key that signed. */
    signer: column.text(),
    /** Set once content of the link was erased together with a person's data. */
    erasure: column.json(z.custom<LinkErasure>()).nullable(),
  },
  {
    indexes: { entities_events_by: ['by'], entities_events_chain: { columns: ['entity_id', 'version'], unique: true } },
  },
)

/** A state from which replays begin. It can be rebuilt from the events, so rows may be deleted at any time. */
const snapshots = defineTable(
  'entities_snapshots',
  {
    entity_id: column.text(),
    version: column.integer(),
    /** JSON of a `PastEntity`, as signed. */
    state: column.text(),
    /** The oracle's Ed25519 signature, multibase. */
    signature: column.text(),
    /** The did:key that signed. */
    signer: column.text(),
  },
  { primaryKey: ['entity_id', 'version'] },
)

/** A version, from the second on, that changed the source of an entity's DID document. */
const documentChanges = defineTable(
  'entities_document_changes',
  {
    entity_id: column.text(),
    member: column.text<DocumentMember>(),
    version: column.integer(),
  },
  { primaryKey: ['entity_id', 'member', 'version'], storedByKey: true },
)

/** Position of an entity in lists. */
const listing = defineTable('entities_listing', {
  /** Number of the entity, in order of creation. */
  position: column.serial(),
  entity_id: column.text().unique(),
})

/** A row of `entities_places`: an active entity with a position. */
const places = defineTable(
  'entities_places',
  {
    entity_id: column.text().primaryKey(),
    type: column.text(),
    name: column.text().nullable(),
    latitude: column.real(),
    longitude: column.real(),
    /** Number of its cell in the grid. */
    cell: column.integer(),
  },
  { indexes: { entities_places_cell: ['cell'], entities_places_type: ['type', 'cell'] }, storedByKey: true },
)

/** A version of a protocol; it never changes. */
const protocols = defineTable(
  'entities_protocols',
  {
    /** The last part of the protocol's DID. */
    id: column.text(),
    version: column.integer(),
    did: column.text(),
    definition: column.json(z.custom<ProtocolDefinition>()),
    created_at: column.timestamp(),
  },
  { primaryKey: ['id', 'version'], storedByKey: true },
)

/** An edge; both nodes are ids of entities, or other URIs. */
const edges = defineTable(
  'entities_edges',
  {
    from_node: column.text(),
    relationship: column.text(),
    to_node: column.text(),
    created_at: column.timestamp(),
  },
  {
    primaryKey: ['from_node', 'relationship', 'to_node'],
    indexes: { entities_edges_back: ['to_node', 'relationship', 'from_node'] },
    storedByKey: true,
  },
)

const changeClock = defineTable(
  'entities_change_clock',
  {
    /** `transactions`. */
    name: column.text().primaryKey(),
    /** PostgreSQL: offset of transaction numbers, which start again when a database is moved. */
    past: column.integer(),
  },
  { storedByKey: true },
)

/** A URL that changes are sent to. */
const webhooks = defineTable(
  'entities_webhooks',
  {
    id: column.text().primaryKey(),
    /** DID of the caller who registered it. */
    owner: column.text(),
    /** DID whose limit it counts toward; null in rows from before the column existed: the owner. */
    holder: column.text().nullable(),
    /** Network that it was registered from, for limits by address. */
    origin: column.text().nullable(),
    /** The caller who registered it; null in rows from before the column existed. */
    maker: column.json(z.custom<Actor>()).nullable(),
    url: column.text(),
    filters: column.json(z.custom<ChangeFilters>()),
    /** The did:key of the oracle that its secret is derived from. */
    signer: column.text(),
    /** `given-up` after too long without a delivery, `stopped` once the right of its maker has ended. */
    state: column.text<'active' | 'given-up' | 'stopped'>(),
    /** With `sequence` the position of the last completed change. */
    transaction: column.integer(),
    sequence: column.integer(),
    /** Number of the latest job that delivers to it; only that one may. */
    run: column.integer(),
    /** Consecutive failed deliveries of the next change. */
    failures: column.integer(),
    failing_since: column.timestamp().nullable(),
    next_try_at: column.timestamp().nullable(),
    /** Reason of the last failed delivery. */
    last_failure: column.text().nullable(),
    delivered_at: column.timestamp().nullable(),
    created_at: column.timestamp(),
  },
  { indexes: { entities_webhooks_owner: ['owner'] }, storedByKey: true },
)

/** SQLite only: document numbers for FTS5, in order of creation. */
export const searchDocuments = defineTable('entities_search_documents', {
  document: column.serial(),
  entity_id: column.text().unique(),
})

export const entitiesTables = [
  entities,
  replies,
  events,
  snapshots,
  documentChanges,
  listing,
  places,
  protocols,
  edges,
  changeClock,
  webhooks,
] as const

/** Tables of the plugin. Times are milliseconds since 1970. */
export type EntitiesTables = TablesOf<[...typeof entitiesTables, typeof searchDocuments]>

export type EntityRow = Selectable<EntitiesTables['entities_entities']>
export type EdgeRow = Selectable<EntitiesTables['entities_edges']>
export type WebhookRow = Selectable<EntitiesTables['entities_webhooks']>

/** The database as this plugin sees it. */
export type EntitiesStorage = Host<unknown, EntitiesTables>['storage']

export type EntitiesTransaction = Parameters<Parameters<EntitiesStorage['write']>[0]>[0]

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

/** The oracle's signature over a link whose content was erased. */
export interface LinkErasure {
  /** ISO 8601 with milliseconds, UTC. */
  readonly at: string
  /** Ed25519 over `sibyl erased link`, a NUL and the SHA-256 of the erased link, multibase base64url. */
  readonly signature: string
  /** The did:key that signed. */
  readonly signer: string
}

/** Members of an entity that its DID document uses. */
export type DocumentMember = 'controller' | 'services' | 'alsoKnownAs' | 'status'

/** Filters of changes for a follower; a change must match all. */
export interface ChangeFilters {
  readonly type?: string | undefined
  readonly protocol?: string | undefined
  readonly did?: string | undefined
}
