import { sql } from '@sibyl/plugin/storage'
import type { EntitiesStorage } from './entities-tables.ts'

/**
 * Whether a column is one of the ids of entities, given as one parameter, so that the statement is the same for any number
 * of them. PostgreSQL sees how many there are, and looks each up even where the table is small.
 *
 * @example
 * sql`select did from entities_entities as entity where ${idIn(engine, 'entity.id', ids)}`
 */
export const idIn = (engine: EntitiesStorage['engine'], column: string, ids: readonly string[]) =>
  engine === 'sqlite'
    ? sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`
    : sql<boolean>`${sql.ref(column)} = any(${`{${ids.join(',')}}`}::text[])`
