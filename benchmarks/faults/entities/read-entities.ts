import type { JsonValue } from '@sibyl/protocol'
import type { Snapshot } from './open-snapshot.ts'

/** A row of an entity. */
export interface EntityRow {
  readonly id: string
  readonly did: string
  readonly type: string
  readonly status: string
  readonly version: number
  readonly hash: string
  readonly details: {
    readonly properties: Readonly<Record<string, JsonValue>>
    readonly credentials?: readonly { readonly id: string }[]
  }
}

/** A row of an event. */
export interface EventRow {
  readonly entity_id: string
  readonly version: number
  readonly kind: string
  readonly change: JsonValue
  readonly previous_hash: string
  readonly hash: string
}

/** All that is stored of entities. */
export interface StoredEntities {
  readonly entities: ReadonlyMap<string, EntityRow>
  /** By entity, the first one first. */
  readonly events: ReadonlyMap<string, readonly EventRow[]>
  /** As `edgeText` writes them. */
  readonly edges: ReadonlySet<string>
  /** The entities that kept replies name, one a reply. */
  readonly replied: readonly string[]
  /** The entities that have a place in lists, and those whose terms are indexed. */
  readonly listed: readonly string[]
  readonly termed: readonly string[]
  /** The entities that the search index has documents of, and those whose words are indexed. */
  readonly documents: readonly string[]
  readonly worded: readonly string[]
}

/** An edge as one text. */
export const edgeText = (from: string, relationship: string, to: string): string => `${from} ${relationship} ${to}`

interface Edge {
  readonly from_node: string
  readonly relationship: string
  readonly to_node: string
}

/** Where each engine keeps of which entities there is something in the indexes. */
const indexed = {
  sqlite: {
    termed: 'select entity_id from entities_terms_docsize join entities_listing on position = id',
    documents: 'select entity_id from entities_search_documents',
    worded: 'select entity_id from entities_search_docsize left join entities_search_documents on document = id',
  },
  postgres: {
    termed: 'select entity_id from entities_listing where cardinality(terms) > 0',
    documents: 'select entity_id from entities_search',
    worded: 'select entity_id from entities_search where length(words) > 0',
  },
} as const

/** Reads all that is stored of entities. */
export const readEntities = async ({ engine, rows }: Snapshot): Promise<StoredEntities> => {
  const ids = async (statement: string) =>
    (await rows<{ entity_id: string | null }>(statement)).map(row => row.entity_id ?? 'nobody')
  const entities = await rows<EntityRow>(
    'select id, did, type, status, version, hash, details from entities_entities',
    ['details'],
  )
  const events = await rows<EventRow>(
    'select entity_id, version, kind, change, previous_hash, hash from entities_events order by entity_id, version',
    ['change'],
  )
  const edges = await rows<Edge>('select from_node, relationship, to_node from entities_edges')
  return {
    entities: new Map(entities.map(row => [row.id, row])),
    events: Map.groupBy(events, row => row.entity_id),
    edges: new Set(edges.map(row => edgeText(row.from_node, row.relationship, row.to_node))),
    replied: await ids('select entity_id from entities_replies'),
    listed: await ids('select entity_id from entities_listing'),
    termed: await ids(indexed[engine].termed),
    documents: await ids(indexed[engine].documents),
    worded: await ids(indexed[engine].worded),
  }
}
