import { setImmediate } from 'node:timers/promises'
import { sql } from '@sibyl/plugin/storage'
import { type Box, boxOf, type Cell, cellRange, cellsOver, isInside } from '../places/grid.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { jsonList } from '../storage/statement-parts.ts'

/** Up to this number of entities they are returned, else the counts of cells. */
export const maxPlaces = 500
/** Counting of a cell ends at this number. */
export const maxCounted = 10_000
/** Number of cells that one statement counts; other requests run between two statements. */
const cellsAtOnce = 8

/** An entity at its position. */
export interface Place {
  readonly did: string
  readonly type: string
  readonly name: string | null
  readonly latitude: number
  readonly longitude: number
}

/** A cell with its number of entities, at most 10,000. */
export interface CountedCell extends Box {
  readonly count: number
}

export interface PlaceQuery {
  readonly box: Box
  readonly type?: string | undefined
}

type Reading = Pick<EntitiesStorage, 'engine' | 'read'>

/**
 * Returns the entities in a box, or the counts of the cells that cover it if there are many. The cost is bounded by the
 * number of cells and the counted entities, not by all entities.
 */
export const findPlaces = async (
  storage: Reading,
  { box, type }: PlaceQuery,
): Promise<{ readonly places: readonly Place[]; readonly cells: readonly CountedCell[] }> => {
  const counted: { readonly cell: Cell; readonly count: number }[] = []
  const covering = cellsOver(box)
  for (let from = 0; from < covering.length; from += cellsAtOnce) {
    const cells = covering.slice(from, from + cellsAtOnce)
    const { rows } = await countStatement(storage.engine, cells, type).execute(storage.read)
    for (const { place, count } of rows) if (count > 0) counted.push({ cell: cells[place]!, count })
    await setImmediate()
  }
  const total = counted.reduce((sum, { count }) => sum + count, 0)
  if (total > maxPlaces) return { places: [], cells: counted.map(({ cell, count }) => ({ ...boxOf(cell), count })) }
  if (total === 0) return { places: [], cells: [] }
  const { rows } = await placesStatement(
    storage.engine,
    counted.map(({ cell }) => cell),
    type,
  ).execute(storage.read)
  return { places: rows.filter(place => isInside(place, box)), cells: [] }
}

export const countStatement = (engine: EntitiesStorage['engine'], cells: readonly Cell[], type: string | undefined) =>
  sql<{ place: number; count: number }>`
    select cast(item.value ->> 0 as bigint) as place, (
      select count(*) from (
        select 1 from entities_places as place
        where ${ofType(type)} place.cell >= cast(item.value ->> 1 as bigint)
        and place.cell < cast(item.value ->> 2 as bigint) limit ${sql.lit(maxCounted)}
      ) as one
    ) as count from ${rangesOf(engine, cells)}
  `

/** Returns the statement that reads the entities of cells. */
export const placesStatement = (engine: EntitiesStorage['engine'], cells: readonly Cell[], type: string | undefined) =>
  sql<Place>`
    select entity.did, place.type, place.name, place.latitude, place.longitude
    from ${rangesOf(engine, cells)} cross join entities_places as place
    cross join entities_entities as entity
    where ${ofType(type)} place.cell >= cast(item.value ->> 1 as bigint)
    and place.cell < cast(item.value ->> 2 as bigint) and entity.id = place.entity_id
    order by entity.id desc limit ${sql.lit(maxPlaces)}
  `

const ofType = (type: string | undefined) => (type === undefined ? sql`` : sql`place.type = ${type} and`)

const rangesOf = (engine: EntitiesStorage['engine'], cells: readonly Cell[]) =>
  jsonList(
    engine,
    cells.map((cell, index) => [index, ...cellRange(cell)].map(String)),
  )
