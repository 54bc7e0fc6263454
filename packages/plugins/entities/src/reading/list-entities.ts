import { setImmediate } from 'node:timers/promises'
import { sql } from '@sibyl/plugin/storage'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { entityParts } from '../storage/entity-parts.ts'
import { idIn } from '../storage/statement-parts.ts'
import { type EntityFilters, filterTerms, fitsFilters } from './entity-filters.ts'
import type { ListedEntity, TermIndex } from './term-index.ts'

/** Maximum number of positions that one page reads. */
const maxPositions = 2_097_152
/** Maximum number of entities that one page compares with filters that have no terms. */
const maxCompared = 10_000
const comparedAtOnce = 500
/** A page ends at this number of bytes, even with few entities. */
const pageBytes = 500_000
/**
 * Up to this number, entities changed since a time are selected by that time and then compared with the other filters.
 */
const fewChanged = 500

export interface ListDependencies {
  readonly storage: Pick<EntitiesStorage, 'engine' | 'read'>
  readonly index: TermIndex
}

/** A page of a list, and the position before which the next one begins. */
export interface ListPage {
  readonly entities: readonly StoredEntity[]
  readonly next?: number
}

/**
 * Returns a page, newest entity first. Its cost is bounded: if matching entities are rare, it ends early, with few or
 * no entities and still a `next`.
 *
 * @param before the `next` of the previous page
 */
export const listEntities = async (
  parts: ListDependencies,
  filters: EntityFilters,
  limit: number,
  before?: number,
): Promise<ListPage> => {
  const end = before ?? (await positionAfterAll(parts))
  const changed = filters.updatedSince === undefined ? undefined : await fewChangedIds(parts, filters.updatedSince)
  if (changed === undefined) return walk(parts, filters, limit, end)
  const newest = (await listed(parts, changed, end)).toSorted((one, other) => other.position - one.position)
  const { found, last } = await fittingOf(parts, newest, filters, { places: limit + 1, bytes: pageBytes })
  return last === undefined || found.length > limit ? pageOf(found, limit) : { ...pageOf(found, limit), next: last }
}

interface PlacedEntity {
  readonly position: number
  readonly entity: StoredEntity
}

const pageOf = (found: readonly PlacedEntity[], limit: number): ListPage => {
  const shown = found.slice(0, limit)
  const entities = shown.map(({ entity }) => entity)
  const last = shown.at(-1)
  return found.length > limit && last ? { entities, next: last.position } : { entities }
}

/** Reads the positions backward, window by window; other requests run in between. */
const walk = async (parts: ListDependencies, filters: EntityFilters, limit: number, end: number): Promise<ListPage> => {
  const { index } = parts
  const terms = filterTerms(filters)
  const last = Math.max(0, end - maxPositions)
  const found: PlacedEntity[] = []
  let [compared, bytes] = [0, 0]
  for (let before = end; before > 1; ) {
    if (before <= last || compared >= maxCompared) return { ...pageOf(found, limit), next: before }
    const from = Math.floor((before - 1) / index.window) * index.window
    const missing = limit + 1 - found.length
    const isSparse = filters.updatedSince !== undefined && before < end
    const wanted = isSparse ? Math.max(missing, comparedAtOnce) : missing
    const listed = await index.find({ terms, from, before, limit: wanted })
    const fitting = await fittingOf(parts, listed, filters, { places: missing, bytes: pageBytes - bytes })
    found.push(...fitting.found)
    bytes += fitting.bytes
    if (found.length > limit) break
    if (fitting.last !== undefined) return { ...pageOf(found, limit), next: fitting.last }
    compared += listed.length
    before = listed.length < wanted ? from : listed.at(-1)!.position
    await setImmediate()
  }
  return pageOf(found, limit)
}

const positionAfterAll = async ({ storage }: ListDependencies): Promise<number> => {
  const { last } = await storage.read
    .selectFrom('entities_listing')
    .select(({ fn }) => fn.max<number | null>('position').as('last'))
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

/** Returns the ids of all entities that were changed since a time; undefined if there are many. */
const fewChangedIds = async ({ storage }: ListDependencies, since: number): Promise<readonly string[] | undefined> => {
  const rows = await storage.read
    .selectFrom('entities_entities')
    .select('id')
    .where('updated_at', '>=', since)
    .orderBy('updated_at')
    .limit(fewChanged + 1)
    .execute()
  return rows.length > fewChanged ? undefined : rows.map(({ id }) => id)
}

/** Returns the entities below a position. */
const listed = async (
  { storage: { engine, read } }: ListDependencies,
  ids: readonly string[],
  before: number,
): Promise<readonly ListedEntity[]> => {
  const { rows } = await sql<ListedEntity>`
    select listing.position, listing.entity_id as id from entities_listing as listing
    where ${idIn(engine, 'listing.entity_id', ids)} and listing.position < ${before}
  `.execute(read)
  return rows
}

/** Matching entities; `last` is the last read position if not all were read. */
interface Fitting {
  readonly found: readonly PlacedEntity[]
  readonly bytes: number
  readonly last?: number
}

/** Returns the matching entities at positions, in the given order, up to a limit. */
const fittingOf = async (
  { storage }: ListDependencies,
  listed: readonly ListedEntity[],
  filters: EntityFilters,
  max: { readonly places: number; readonly bytes: number },
): Promise<Fitting> => {
  const places = new Map(listed.map(({ id, position }) => [id, position]))
  const found: PlacedEntity[] = []
  let bytes = 0
  const ids = listed.map(({ id }) => id)
  for await (const part of entityParts(storage, ids, filters.updatedSince)) {
    for (const id of part.ids) {
      const entity = part.entities.get(id)
      if (entity && fitsFilters(entity, filters)) found.push({ position: places.get(id)!, entity })
    }
    bytes += part.bytes
    const lastId = part.ids.at(-1)!
    if (lastId !== ids.at(-1) && (found.length >= max.places || bytes >= max.bytes)) {
      return { found, bytes, last: places.get(lastId)! }
    }
  }
  return { found, bytes }
}
