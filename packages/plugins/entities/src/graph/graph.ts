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

/** Which way edges are followed. */
export const directions = ['out', 'in', 'both'] as const

/** What is asked of the graph. */
export interface GraphQuery {
  /** Where to begin: the DID of an entity, or the URI of a claim or credential. */
  readonly from: string
  /** Follows edges of this name alone. */
  readonly relationship?: string
  /** How many edges away, 1 to 6. */
  readonly depth: number
  readonly direction: (typeof directions)[number]
}

/** What is known of a node that is no entity: it follows from the generic chain. */
export type OtherKind = 'claim' | 'credential' | 'oracle' | 'other'

/** A node of an answer; `distance` is the number of edges from where it began. */
export type GraphNode =
  | ({ readonly distance: number } & Pick<NodeFacts, 'did' | 'type' | 'domainClass' | 'status'>)
  | { readonly distance: number; readonly uri: string; readonly kind: OtherKind }

/** A part of the graph. */
export interface Subgraph {
  /** The nearest first; at most 1,000. */
  readonly nodes: readonly GraphNode[]
  /** Between nodes of the answer, as DIDs and URIs; at most 5,000. */
  readonly edges: readonly Edge[]
  /** Whether there is more within that depth than the answer has. */
  readonly truncated: boolean
}

/** The graph of entities, claims and credentials. */
export interface Graph {
  /**
   * All that is at most `depth` edges away, breadth first: each edge of every node that is nearer than `depth`. What it
   * costs is bounded by the answer, not by the graph.
   *
   * @returns undefined where there is no such node
   */
  walk(query: GraphQuery): Promise<Subgraph | undefined>
}
