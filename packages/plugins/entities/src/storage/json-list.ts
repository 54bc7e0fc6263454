import { sql } from '@sibyl/plugin/storage'
import type { EntitiesStorage } from './entities-tables.ts'

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
