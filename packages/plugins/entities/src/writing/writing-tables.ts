import type { JsonColumn } from '@sibyl/plugin/storage'
import type { CredentialEntry, DomainClass, EntityStatus, JsonValue, ServiceEntry } from '@sibyl/protocol'
import type { PostedDefinition } from '../records/stored-entity.ts'

/** The tables of this room. */
export interface WritingTables {
  entities_entities: EntityRow
  entities_replies: ReplyRow
}

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

/** What of an entity no query asks for. */
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
