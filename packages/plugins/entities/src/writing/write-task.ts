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

/** A request to change entities, before it is written. */
export interface WriteTask {
  /** Keys that no two running tasks share: ids of the entities that change, and `Idempotency-Key`s. */
  readonly holds: readonly string[]
  /** Ids of the entities that it needs. */
  readonly reads: readonly string[]
  /** Key of the stored reply, for a repeated request. */
  readonly reply?: ReplyKey
  /**
   * Validates the task against the current state. Called again if other writers changed the same entities meanwhile.
   *
   * @returns the changes to write, or the response if nothing changes
   */
  prepare(known: KnownEntities): Promise<PreparedWrite | { readonly unchanged: Answer }>
}

/** Key of a stored reply. */
export interface ReplyKey {
  /** Hash of the sender and the key. */
  readonly key: string
  /** Hash of the body. */
  readonly requestHash: string
}

/** Rows that one task writes, all or none. */
export interface PreparedWrite {
  readonly changes: readonly SignedChange[]
  readonly definitions: readonly ProtocolDefinition[]
  /** Written in the same transaction, after the changes. */
  readonly also?: (tx: EntitiesTransaction) => Promise<void>
  /** Overwrites replaced content on the disk. @default false */
  readonly scrub?: boolean
  /** Verifies rules on the state within the transaction; throws the error of the response. */
  readonly verify?: (tx: EntitiesTransaction) => Promise<void>
  readonly answer: Answer
}

/** The entity after a task. */
export interface Answer {
  readonly entity: StoredEntity
  /** Set if they are known without a read. */
  readonly relationships?: Relationships
  /** True if this is the response to an earlier request with the same `Idempotency-Key`. */
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
  /** DID of the oracle, under which new entities get their DIDs. */
  readonly publicDid: () => string
  /** Returns the id of a new entity. */
  readonly newId: () => string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Other writers changed the same rows since they were read, so the task is prepared again. Only used within the writer.
 */
export class Clash extends Error {}
