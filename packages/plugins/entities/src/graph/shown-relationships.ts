import { sql } from '@sibyl/plugin/storage'
import { entityIdOf, isEntityId } from '../records/entity-did.ts'
import { maxShownRelationships } from '../records/entity-record.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { idIn } from '../storage/statement-parts.ts'
import type { EdgeStore } from './edge-store.ts'

/** Relationship name to the DIDs and URIs of its targets. */
export type ShownRelationships = Readonly<Record<string, readonly string[]>>

export interface RelationshipDependencies {
  readonly storage: Pick<EntitiesStorage, 'engine' | 'read'>
  readonly edges: Pick<EdgeStore, 'outgoing'>
}

/** Returns the relationships for the records of entities, by id: at most 100 of each name, ordered by id. */
export const shownRelationships = async (
  { storage, edges }: RelationshipDependencies,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ShownRelationships>> => {
  if (ids.length === 0) return new Map()
  const outgoing = await edges.outgoing(ids, maxShownRelationships)
  const nodes = [...outgoing.values()].flatMap(names => Object.values(names).flat())
  const dids = await didsOf(storage, nodes)
  return new Map(
    [...outgoing].map(([id, names]) => [id, mapValues(names, targets => targets.map(node => dids.get(node) ?? node))]),
  )
}

export const shownRelationshipsOf = async (
  dependencies: RelationshipDependencies,
  id: string,
): Promise<ShownRelationships> => (await shownRelationships(dependencies, [id])).get(id) ?? {}

/** Returns relationships that were replayed from events, with the DIDs as they were given, as records show them. */
export const shownPastRelationships = async (
  storage: RelationshipDependencies['storage'],
  relationships: ShownRelationships,
): Promise<ShownRelationships> => {
  const nodes = mapValues(withoutEmpty(relationships), targets =>
    firstInOrder(targets.map(target => entityIdOf(target) ?? target)),
  )
  const dids = await didsOf(storage, Object.values(nodes).flat())
  return mapValues(nodes, shown => shown.map(node => dids.get(node) ?? node))
}

/** Returns as many strings as a record shows, the first in order, without duplicates, in one pass. */
const firstInOrder = (texts: readonly string[]): readonly string[] => {
  const first: string[] = []
  for (const text of texts) {
    if (first.length === maxShownRelationships && text >= first.at(-1)!) continue
    let place = first.length
    while (place > 0 && first[place - 1]! > text) place -= 1
    if (first[place - 1] === text) continue
    first.splice(place, 0, text)
    if (first.length > maxShownRelationships) first.pop()
  }
  return first
}

/** Returns the DIDs of those nodes that are entities. */
const didsOf = async (
  { engine, read }: RelationshipDependencies['storage'],
  nodes: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const ids = [...new Set(nodes.filter(isEntityId))]
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; did: string }>`
    select entity.id, entity.did from entities_entities as entity where ${idIn(engine, 'entity.id', ids)}
  `.execute(read)
  return new Map(rows.map(({ id, did }) => [id, did]))
}

const withoutEmpty = (relationships: ShownRelationships): ShownRelationships =>
  Object.fromEntries(Object.entries(relationships).filter(([, targets]) => targets.length > 0))

const mapValues = (
  relationships: ShownRelationships,
  change: (targets: readonly string[]) => readonly string[],
): ShownRelationships =>
  Object.fromEntries(Object.entries(relationships).map(([name, targets]) => [name, change(targets)]))
