import type { Engine } from '@sibyl/storage'
import { openStorage, sql } from '@sibyl/storage'

const sqliteParts = [
  `select t.name || '.' || c.name as name, lower(c.type) as type, c."notnull" = 1 and c.pk = 0 as required,
    c.dflt_value as value, c.pk, 
    -- An upgrade does not rewrite the messages of an earlier file.
    t.wr and t.name != 'core_messages' as by_key
  from pragma_table_list t, pragma_table_info(t.name) c where t.schema = 'main' and t.name not like 'sqlite_%'`,
  `select m.name as of_table, case when i.origin = 'c' then i.name end as name, i."unique", i.origin, s.sql,
    (select group_concat(c.name) from pragma_index_info(i.name) c) as columns
  from sqlite_schema m, pragma_index_list(m.name) i left join sqlite_schema s on s.name = i.name
  where m.type = 'table'`,
  `select name, sql from sqlite_schema where type = 'trigger' or sql like 'create virtual%'`,
  `select name, substr(sql, instr(sql, 'check (')) as checked from sqlite_schema where sql like '%check (%'`,
]

const postgresParts = [
  `select table_name || '.' || column_name as name, data_type, collation_name, is_nullable, column_default
  from information_schema.columns where table_schema = 'public'`,
  `select relname as name, relpersistence from pg_class where relnamespace = 'public'::regnamespace`,
  `select indexname as name, indexdef from pg_indexes where schemaname = 'public'`,
  `select conname as name, conrelid::regclass::text as of_table, pg_get_constraintdef(oid) as definition
  from pg_constraint where connamespace = 'public'::regnamespace`,
  `select tgname as name, pg_get_triggerdef(oid) as definition from pg_trigger where not tgisinternal`,
  `select proname as name, pg_get_functiondef(oid) as definition from pg_proc where pronamespace = 'public'::regnamespace`,
]

/** Two names of the same type for SQLite, and texts of statements that differ in spaces, quotes and the order of columns. */
const plain = (row: object): string =>
  JSON.stringify(row)
    .toLowerCase()
    .replaceAll('bigint', 'integer')
    .replaceAll(/\\n|\\"|ifnotexists|\s/g, '')

/** Reads columns, indexes, constraints, triggers and functions of a database, a sorted line each. */
export const readSchema = async (url: string, engine: Engine): Promise<string[]> => {
  const storage = await openStorage({ url })
  const lines: string[] = []
  for (const part of engine === 'sqlite' ? sqliteParts : postgresParts) {
    const { rows } = await sql.raw<object>(part).execute(storage.read)
    lines.push(...rows.map(row => (engine === 'sqlite' ? plain(row) : JSON.stringify(row))))
  }
  await storage.close()
  return lines.toSorted()
}
