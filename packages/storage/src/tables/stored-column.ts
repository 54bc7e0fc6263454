import type { Kysely } from 'kysely'
import type { Engine } from '../sql/engine.ts'
import { sql } from '../sql/kysely.ts'
import type { TableColumnType } from './table-column.ts'

/** A column as the database has it. */
export interface StoredColumn {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  /** Its place in the primary key, from 1. */
  readonly keyPlace: number | undefined
}

/** Types as the databases name them. */
export const storedTypes: Readonly<Record<Engine, Readonly<Record<TableColumnType, string>>>> = {
  sqlite: {
    text: 'text',
    integer: 'integer',
    real: 'real',
    timestamp: 'integer',
    boolean: 'boolean',
    json: 'json_text',
    bytes: 'blob',
    serial: 'integer',
  },
  postgres: {
    text: 'text',
    integer: 'bigint',
    real: 'double precision',
    timestamp: 'bigint',
    boolean: 'boolean',
    json: 'json',
    bytes: 'bytea',
    serial: 'bigint',
  },
}

/** A database, whatever its tables are typed for. */
export type UntypedDatabase = Pick<Kysely<never>, 'getExecutor'>

/** Returns the names of the tables that exist. */
export const findTables = async (
  engine: Engine,
  db: UntypedDatabase,
  tables: readonly { readonly name: string }[],
): Promise<ReadonlySet<string>> => {
  if (tables.length === 0) return new Set()
  const names = sql.join(tables.map(({ name }) => sql.lit(name)))
  const query =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name in (${names})`
      : sql<{ name: string }>`select name from unnest(array[${names}]) name where to_regclass(name) is not null`
  return new Set((await query.execute(db as Kysely<never>)).rows.map(({ name }) => name))
}

/** Reads the columns of a table; none if it does not exist. */
export const readColumns = async (engine: Engine, db: UntypedDatabase, table: string): Promise<StoredColumn[]> => {
  const query =
    engine === 'sqlite'
      ? sql<{ name: string; type: string; required: number; place: number }>`
          select name, replace(lower(type), 'bigint', 'integer') as type, "notnull" as required, pk as place from pragma_table_info(${table})`
      : sql<{ name: string; type: string; required: number; place: number }>`
          select a.attname as name, a.attnotnull::int as required,
            format_type(a.atttypid, a.atttypmod) || case
              when a.attcollation = 'pg_catalog.default'::regcollation then ' in the collation of the database' else ''
            end as type,
            coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0) as place
          from pg_attribute a left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
          where a.attrelid = to_regclass(${table}) and a.attnum > 0 and not a.attisdropped`
  const { rows } = await query.execute(db as Kysely<never>)
  return rows.map(({ name, type, required, place }) => ({
    name,
    type,
    isNullable: Number(required) === 0,
    keyPlace: Number(place) === 0 ? undefined : Number(place),
  }))
}
