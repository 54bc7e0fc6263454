import { sql } from '@sibyl/plugin/storage'
import type { EntitiesStorage } from './entities-tables.ts'

/**
 * Returns the condition that a column is one of some ids. They are one parameter, so that the statement is the same for
 * any number of them. PostgreSQL knows their number, and uses the index even if the table is small.
 *
 * @example
 * sql`select did from entities_entities as entity where ${idIn(engine, 'entity.id', ids)}`
 */
export const idIn = (engine: EntitiesStorage['engine'], column: string, ids: readonly string[]) =>
  engine === 'sqlite'
    ? sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`
    : sql<boolean>`${sql.ref(column)} = any(${`{${ids.join(',')}}`}::text[])`

const largest = 64

/**
 * Splits rows into batches for one statement each. Sizes are powers of two, so that few different statements are
 * prepared; an empty list has no batch.
 */
export function* inParts<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; ) {
    const size = Math.min(2 ** Math.floor(Math.log2(rows.length - from)), largest)
    yield rows.slice(from, from + size)
    from += size
  }
}

type Engine = EntitiesStorage['engine']

/**
 * Returns a list of rows of strings as a table `item`. It is one parameter, so that the statement is the same for any
 * number of rows. `jsonText` reads a string of a row. SQLite keeps the order of a `cross join`: with the list first, it
 * always reads the other table by index, regardless of its statistics.
 *
 * @example
 * sql`select edge.* from ${jsonList(engine, [['a']])} cross join edges as edge where edge.from_node =
 * ${jsonText(engine, 0)}`
 */
export const jsonList = (engine: Engine, rows: readonly (readonly string[])[]) =>
  engine === 'sqlite'
    ? sql`json_each(${JSON.stringify(rows)}) as item`
    : sql`json_array_elements(${JSON.stringify(rows)}::json) as item(value)`

/** Returns a string of a row of `jsonList`, compared by bytes like the columns. */
export const jsonText = (engine: Engine, index: number) =>
  engine === 'sqlite'
    ? sql<string>`(item.value->>${sql.lit(index)})`
    : sql<string>`(item.value->>${sql.lit(index)}) collate "C"`
