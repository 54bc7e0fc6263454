import { toJson } from '../sql/json-text.ts'
import type { Table, TableColumns, TableOptions } from './table.ts'
import type { TableColumn } from './table-column.ts'
import { addColumn, createIndexes, createTable, runStatements } from './table-statements.ts'

/**
 * Defines a table once: its row type for Kysely with columns in camelCase, its schema, and its JSON and date columns.
 *
 * @example
 * export const tides = defineTable('ports_tides', {
 *   tide: column.serial(),
 *   port: column.text(),
 *   highAt: column.timestamp(),
 *   warnings: column.json(z.array(z.string())),
 * }, { indexes: { ports_tides_by_time: ['port', 'highAt'] } })
 * export type PortTables = TablesOf<[typeof tides]>
 * export const migrations: Migrations = { '0001-tides': tides.create }
 */
export const defineTable = <const Name extends string, Columns extends TableColumns>(
  name: Name,
  columns: Columns,
  options: TableOptions<keyof Columns & string> = {},
): Table<Name, Columns> => {
  const table: Table<Name, Columns> = {
    name,
    columns,
    options,
    create: (db, types) => runStatements(createTable(table, db, types), db, types),
    addColumns: migration => async (db, types) => {
      const added = Object.keys(columns).filter(key => columns[key]?.settings.addedIn === migration)
      for (const key of added) await addColumn(table, key, db, types)
      const indexes = createIndexes(table, db, { of: keys => keys.some(key => added.includes(key)) })
      for (const index of indexes) await index.execute()
    },
    values: given =>
      Object.fromEntries(
        Object.entries(given).map(([key, value]) => [key, writtenValue(columns[key], value)]),
      ) as never,
  }
  return table
}

const writtenValue = (column: TableColumn | undefined, value: unknown): unknown => {
  if (column?.schema === undefined || value === undefined) return value
  return value === null && column.settings.isNullable ? null : toJson(column.schema.parse(value))
}
