import { sql } from '@sibyl/plugin/storage'
import type { EntitiesStorage } from './entities-tables.ts'

/**
 * Returns the condition that a column is one of some ids, given as one parameter, so that the statement is the same for any number
 * of them. PostgreSQL sees how many there are, and looks each up even where the table is small.
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
 * Cuts rows into parts of which each goes into one statement: powers of two, so that there are few different statements to
 * be prepared; none of an empty list.
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
 * A list of rows of texts as a table `item`, given as one parameter, so that the statement is the same for any number of
 * rows. `jsonText` reads a text of a row. SQLite keeps to the order of a `cross join`: with the list first, whatever it
 * believes to know of the other table, that one is read by index.
 *
 * @example
 * sql`select edge.* from ${jsonList(engine, [['a']])} cross join edges as edge where edge.from_node = ${jsonText(engine, 0)}`
 */
export const jsonList = (engine: Engine, rows: readonly (readonly string[])[]) =>
  engine === 'sqlite'
    ? sql`json_each(${JSON.stringify(rows)}) as item`
    : sql`json_array_elements(${JSON.stringify(rows)}::json) as item(value)`

/** A text of a row of `jsonList`, compared by bytes as the columns are. */
export const jsonText = (engine: Engine, index: number) =>
  engine === 'sqlite'
    ? sql<string>`(item.value->>${sql.lit(index)})`
    : sql<string>`(item.value->>${sql.lit(index)}) collate "C"`
