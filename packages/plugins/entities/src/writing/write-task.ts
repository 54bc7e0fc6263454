import type { SignedChange } from '../history/sign-links.ts'
import type { ProtocolDefinition } from '../protocols/protocol-definition.ts'
import type { KnownEntities, StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesTransaction } from '../storage/entities-tables.ts'
import type { Relationships } from './relationship-targets.ts'

/** One request to change entities, on its way to the database. */
export interface WriteTask {
  /** What no two tasks under way have in common: ids of the entities that change, and `Idempotency-Key`s. */
  readonly holds: readonly string[]
  /** Ids of the entities that it must know. */
  readonly reads: readonly string[]
  /** The key of the reply that answers it, where it was sent before. */
  readonly reply?: ReplyKey
  /**
   * Validates it against what is known now. Called again where others changed the same meanwhile.
   *
   * @returns what is to be written, or the answer where nothing is
   */
  prepare(known: KnownEntities): Promise<PreparedWrite | { readonly unchanged: Answer }>
}

/** By what an earlier reply is found. */
export interface ReplyKey {
  /** A hash over who sent it and the key. */
  readonly key: string
  /** A hash over the body. */
  readonly requestHash: string
}

/** What one task writes, all of it or nothing. */
export interface PreparedWrite {
  readonly changes: readonly SignedChange[]
  readonly definitions: readonly ProtocolDefinition[]
  /** Written in the same transaction, after the changes. */
  readonly also?: (tx: EntitiesTransaction) => Promise<void>
  /** Whether what it replaces is overwritten on the disk. @default false */
  readonly scrub?: boolean
  /** Rules that hold for what the transaction then contains; throws what the caller is told. */
  readonly verify?: (tx: EntitiesTransaction) => Promise<void>
  readonly answer: Answer
}

/** The entity as it is after a task. */
export interface Answer {
  readonly entity: StoredEntity
  /** Where they are known without asking. */
  readonly relationships?: Relationships
  /** Whether it is the answer to an earlier request of the same `Idempotency-Key`. */
  readonly repeated?: boolean
}
