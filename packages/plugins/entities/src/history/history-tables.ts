import type { Generated, JsonColumn } from '@sibyl/core/storage'
import type { EntityEventRecord, JsonValue } from '@sibyl/protocol'

/** The tables of this room. */
export interface HistoryTables {
  entities_events: EventRow
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
}
