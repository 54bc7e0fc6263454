import type { Fault } from '@sibyl/protocol'
import type { ProtocolDefinition } from '../protocols/protocol-definition.ts'
import type { Edge } from '../records/entity-change.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesTransaction } from '../storage/entities-tables.ts'

/** What the rules for edges need to know of a node. */
export type NodeFacts = Pick<StoredEntity, 'id' | 'did' | 'type' | 'domainClass' | 'status' | 'protocol'>

/** Rules for edges, pure: the protocol's relationships, and the generic chain. */
export interface RelationshipRules {
  /**
   * Every fault of new edges from one entity: unknown names, targets that are not known, not in use, or of the wrong kind.
   * Paths such as `/relationships/verifier/0`.
   *
   * @param targets by what was given: a DID or a URI
   */
  check(
    from: Pick<NodeFacts, 'id' | 'type' | 'domainClass'>,
    definition: ProtocolDefinition | undefined,
    relationships: Readonly<Record<string, readonly string[]>>,
    targets: ReadonlyMap<string, NodeFacts>,
  ): readonly Fault[]
  /** Whether edges of this name may never lead back to where they began. */
  isAcyclic(relationship: string): boolean
}

/** The edges in the database. */
export interface EdgeStore {
  insert(edges: readonly Edge[], at: number, tx: EntitiesTransaction): Promise<void>
  remove(edges: readonly Edge[], tx: EntitiesTransaction): Promise<void>
  /** Those of the edges that would close a circle of their own relationship; asked in the transaction that adds them. */
  closing(edges: readonly Edge[], tx: EntitiesTransaction): Promise<readonly Edge[]>
  /** Outgoing edges of entities, at most `limit` of each name; relationship name to target nodes. */
  outgoing(
    ids: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>>
}
