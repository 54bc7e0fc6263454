import type { Generated, JsonColumn } from '@sibyl/plugin/storage'
import type { EntityEventRecord, JsonValue } from '@sibyl/protocol'
import type { LinkErasure } from './link-erasure.ts'

/** The tables of this room. */
export interface HistoryTables {
  entities_events: EventRow
  entities_snapshots: SnapshotRow
  entities_document_changes: DocumentChangeRow
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

/** A version, from the second on, that changed what stands in the DID document of an entity. */
export interface DocumentChangeRow {
  entity_id: string
  member: DocumentMember
  version: number
}

/** What of an entity its DID document is made of. */
export type DocumentMember = 'controller' | 'services' | 'alsoKnownAs' | 'status'
