import { sql } from '@sibyl/core/storage'
import type { EntitiesStorage } from './entities-tables.ts'

/**
 * A list as a table `item` with the column `value`, given as one parameter: the statement is the same for any number of
 * rows. Of a row that is a list, `item.value->>0` is the first text, on both engines.
 *
 * @example
 * sql`select e.* from ${jsonList(storage.engine, [['a', 'b']])} join edges e on e.from_node = item.value->>0`
 */
export const jsonList = (
  engine: EntitiesStorage['engine'],
  rows: readonly (string | number | readonly (string | number)[])[],
) =>
  engine === 'sqlite'
    ? sql`json_each(${JSON.stringify(rows)}) as item`
    : sql`json_array_elements(${JSON.stringify(rows)}::json) as item(value)`
