import type { Engine } from '../sql/engine.ts'
import { columnName } from './camel-case-storage.ts'
import { readColumns, type StoredColumn, storedTypes, type UntypedDatabase } from './stored-column.ts'
import type { Table } from './table.ts'
import type { TableColumn } from './table-column.ts'

/** A database, whatever its tables are typed for. */
interface MigratedStorage {
  readonly engine: Engine
  readonly read: UntypedDatabase
}

/**
 * Returns the differences between definitions and the tables of a migrated database, a sentence each; for a test on both
 * engines.
 *
 * @example expect(await tableViolations(storage, [tides, notices])).toEqual([])
 */
export const tableViolations = async (storage: MigratedStorage, tables: readonly Table[]): Promise<string[]> => {
  const violations = await Promise.all(
    tables.map(async table =>
      violationsOf(table, await readColumns(storage.engine, storage.read, table.name), storage.engine),
    ),
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

const isKey = ({ type, settings }: TableColumn): boolean => type === 'serial' || settings.isPrimaryKey === true

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
    ...(mayBeNull === (settings.isNullable === true || settings.addedIn !== undefined)
      ? []
      : [`${name} may ${mayBeNull ? '' : 'not '}be null.`]),
  ]
}
