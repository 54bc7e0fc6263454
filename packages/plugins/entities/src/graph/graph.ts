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
   * Every fault of new edges from one entity: unknown names, targets that are not known, not in use, or of the wrong kind,
   * more than 1,000 edges. Paths such as `/relationships/verifier/0`. The generic relationships `implements`, `generates`,
   * `subDomainOf` and `partOf` need no protocol; one that names them narrows their kind.
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
  /** Adds edges; those that are there already stay as they are. @param at milliseconds since 1970 */
  insert(edges: readonly Edge[], at: number, tx: EntitiesTransaction): Promise<void>
  remove(edges: readonly Edge[], tx: EntitiesTransaction): Promise<void>
  /**
   * Those of edges that close a circle of their own relationship; asked after `insert`, in its transaction, about edges of
   * acyclic relationships. It holds against writes at the same time in every isolation. On PostgreSQL these wait for each
   * other from here to the commit, so ask late. Edges from an entity that is created in this transaction close none.
   */
  closing(edges: readonly Edge[], tx: EntitiesTransaction): Promise<readonly Edge[]>
  /** Outgoing edges of entities, at most `limit` of each name; relationship name to target nodes. */
  outgoing(
    ids: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>>
}
