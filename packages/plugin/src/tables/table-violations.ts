import { type Engine, sql } from '@sibyl/storage'
import type { Kysely } from 'kysely'
import { columnName } from './camel-case-storage.ts'
import type { Table } from './define-table.ts'
import type { TableColumn, TableColumnType } from './table-column.ts'

/** A column as the database has it. */
interface StoredColumn {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  /** Its place in the primary key, from 1. */
  readonly keyPlace: number | undefined
}

/** A database, whatever its tables are typed for. */
interface MigratedStorage {
  readonly engine: Engine
  readonly read: Pick<Kysely<never>, 'getExecutor'>
}

/** Types as the databases name them. */
const storedTypes: Readonly<Record<Engine, Readonly<Record<TableColumnType, string>>>> = {
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

/**
 * Returns the differences between definitions and the tables of a migrated database, a sentence each; for a test on both
 * engines.
 *
 * @example expect(await tableViolations(storage, [tides, notices])).toEqual([])
 */
export const tableViolations = async (storage: MigratedStorage, tables: readonly Table[]): Promise<string[]> => {
  const violations = await Promise.all(
    tables.map(async table => violationsOf(table, await readColumns(storage, table.name), storage.engine)),
  )
  return violations.flat()
}

const violationsOf = ({ name, columns, options }: Table, stored: readonly StoredColumn[], engine: Engine): string[] => {
  if (stored.length === 0) return [`The table ${name} does not exist.`]
  const defined = Object.entries(columns).map(([key, column]) => ({ name: columnName(key), column }))
  const known = new Set(defined.map(one => one.name))
  const storedKey = stored
    .filter(({ keyPlace }) => keyPlace !== undefined)
    .toSorted((one, other) => one.keyPlace! - other.keyPlace!)
    .map(one => one.name)
  const key = options.primaryKey?.map(columnName) ?? defined.filter(({ column }) => isKey(column)).map(one => one.name)
  return [
    ...defined.flatMap(one =>
      columnViolations(
        `${name}.${one.name}`,
        one.column,
        stored.find(other => other.name === one.name),
        engine,
      ),
    ),
    ...stored.filter(one => !known.has(one.name)).map(one => `${name}.${one.name} is not defined.`),
    ...(storedKey.join() === key.join() ? [] : [`${name} has the primary key (${storedKey}) instead of (${key}).`]),
  ]
}

const isKey = ({ type, settings }: TableColumn): boolean => type === 'serial' || settings.isPrimaryKey

const columnViolations = (
  name: string,
  { type, settings }: TableColumn,
  stored: StoredColumn | undefined,
  engine: Engine,
): string[] => {
  if (!stored) return [`The column ${name} does not exist.`]
  const wanted = storedTypes[engine][type]
  const mayBeNull = stored.keyPlace === undefined && stored.isNullable
  return [
    ...(stored.type === wanted ? [] : [`${name} is ${stored.type} instead of ${wanted}.`]),
    ...(mayBeNull === (settings.isNullable || settings.addedIn !== undefined)
      ? []
      : [`${name} may ${mayBeNull ? '' : 'not '}be null.`]),
  ]
}

const readColumns = async ({ engine, read }: MigratedStorage, table: string): Promise<StoredColumn[]> => {
  const query =
    engine === 'sqlite'
      ? sql<{ name: string; type: string; required: number; place: number }>`
          select name, lower(type) as type, "notnull" as required, pk as place from pragma_table_info(${table})`
      : sql<{ name: string; type: string; required: number; place: number }>`
          select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull::int as required,
            coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0) as place
          from pg_attribute a left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
          where a.attrelid = to_regclass(${table}) and a.attnum > 0 and not a.attisdropped`
  const { rows } = await query.execute(read as Kysely<never>)
  return rows.map(({ name, type, required, place }) => ({
    name,
    type,
    isNullable: Number(required) === 0,
    keyPlace: Number(place) === 0 ? undefined : Number(place),
  }))
}
