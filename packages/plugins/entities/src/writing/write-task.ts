import type { Parties } from '../access/parties.ts'
import type { EdgeStore } from '../graph/edge-store.ts'
import type { RelationshipRules } from '../graph/relationship-rules.ts'
import type { LinkSigner, SignedChange } from '../history/sign-links.ts'
import type { ProtocolRules } from '../protocols/protocol-rules.ts'
import type { ProtocolStore } from '../protocols/protocol-store.ts'
import type { ProtocolDefinition } from '../records/protocol-definition.ts'
import type { KnownEntities, StoredEntity } from '../records/stored-entity.ts'
import type { Relationships } from '../state/relationship-targets.ts'
import type { EntitiesStorage, EntitiesTransaction } from '../storage/entities-tables.ts'

/** One request to change entities, on its way to the database. */
export interface WriteTask {
  /** Keys that no two running tasks share: ids of the entities that change, and `Idempotency-Key`s. */
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

/** Rows that one task writes, all of them or none. */
export interface PreparedWrite {
  readonly changes: readonly SignedChange[]
  readonly definitions: readonly ProtocolDefinition[]
  /** Written in the same transaction, after the changes. */
  readonly also?: (tx: EntitiesTransaction) => Promise<void>
  /** Overwrites replaced content on the disk. @default false */
  readonly scrub?: boolean
  /** Rules that hold for what the transaction then contains; throws the error of the response. */
  readonly verify?: (tx: EntitiesTransaction) => Promise<void>
  readonly answer: Answer
}

/** The entity as it is after a task. */
export interface Answer {
  readonly entity: StoredEntity
  /** Set where they are known without a read. */
  readonly relationships?: Relationships
  /** True if this is the response to an earlier request of the same `Idempotency-Key`. */
  readonly repeated?: boolean
}

export interface WritingDependencies {
  readonly storage: EntitiesStorage
  readonly rules: ProtocolRules
  readonly protocols: ProtocolStore
  readonly relationshipRules: RelationshipRules
  readonly edges: EdgeStore
  readonly signer: LinkSigner
  readonly parties: Parties
  /** The DID under which new entities get theirs. */
  readonly publicDid: () => string
  /** Returns the id of a new entity. */
  readonly newId: () => string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Other writers changed the same rows since they were read: the task has to be prepared again. Never leaves the writer. */
export class Clash extends Error {}
