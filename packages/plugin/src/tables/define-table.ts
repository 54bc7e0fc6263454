import { type Migration, toJson } from '@sibyl/storage'
import type { ColumnDefinitionBuilder, CreateTableBuilder } from 'kysely'
import { columnName } from './camel-case-storage.ts'
import type { KyselyColumn, TableColumn } from './table-column.ts'

/** Columns by their names in camelCase. */
export type TableColumns = Readonly<Record<string, TableColumn>>

/** Keys and indexes of a table, with columns in camelCase. */
export interface TableOptions<Name extends string> {
  /** Primary key of several columns. */
  readonly primaryKey?: readonly Name[]
  /** Columns that are unique together, by the name of the constraint. */
  readonly unique?: Readonly<Record<string, readonly Name[]>>
  /** Columns by the name of the index. */
  readonly indexes?: Readonly<Record<string, readonly Name[]>>
  /** Stores the rows in the order of the primary key. @default false */
  readonly storedByKey?: boolean
}

/** Row of a table for Kysely, with columns in camelCase. */
export type KyselyRow<Columns extends TableColumns> = { [Name in keyof Columns]: KyselyColumn<Columns[Name]> }

/** Values of columns as `values` takes them. */
export type PlainValues<Columns extends TableColumns> = {
  [Name in keyof Columns]?: Columns[Name]['types']['plain']
}

/** Values of columns as they are written. */
export type WrittenValues<Columns extends TableColumns, Given> = {
  [Name in keyof Given & keyof Columns]: Columns[Name]['types']['written']
}

/** A table, defined once for its types and its schema. */
export interface Table<Name extends string = string, Columns extends TableColumns = TableColumns> {
  /** As the database has it: `ports_tides`. */
  readonly name: Name
  readonly columns: Columns
  readonly options: TableOptions<string>
  /** Creates the table, without columns that a later migration adds; a migration of the plugin. */
  readonly create: Migration
  /** Adds the columns that have `.since(migration)`, and their indexes. */
  addColumns(migration: string): Migration
  /** Returns values as they are written: JSON is checked and becomes text. */
  values<Given extends PlainValues<Columns>>(values: Given): WrittenValues<Columns, Given>
}

/** Tables of a plugin for Kysely, by their names in the database. */
export type TablesOf<Tables extends readonly Table[]> = {
  [Defined in Tables[number] as Defined['name']]: KyselyRow<Defined['columns']>
}

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
  const entries = Object.entries(columns)
  return {
    name,
    columns,
    options,
    async create(db, types) {
      let table: CreateTableBuilder<string, string> = db.schema.createTable(name)
      for (const [key, column] of entries) {
        if (column.settings.addedIn !== undefined) continue
        table = table.addColumn(columnName(key), types[column.type], built => withSettings(built, column))
      }
      const { primaryKey, unique = {}, storedByKey } = options
      if (primaryKey) table = table.addPrimaryKeyConstraint(`${name}_key`, namesOf(primaryKey))
      for (const [constraint, keys] of Object.entries(unique))
        table = table.addUniqueConstraint(constraint, namesOf(keys))
      if (storedByKey) table = table.modifyEnd(types.storedByKey)
      await table.execute()
      await createIndexes(db, keys => keys.every(key => columns[key]?.settings.addedIn === undefined))
    },
    addColumns: migration => async (db, types) => {
      const added = entries.filter(([, { settings }]) => settings.addedIn === migration)
      for (const [key, column] of added) {
        await db.schema
          .alterTable(name)
          .addColumn(columnName(key), types[column.type], built => withSettings(built, column))
          .execute()
      }
      await createIndexes(db, keys => added.some(([key]) => keys.includes(key)))
    },
    values: given =>
      Object.fromEntries(
        Object.entries(given).map(([key, value]) => [key, writtenValue(columns[key], value)]),
      ) as never,
  }

  async function createIndexes(
    db: Parameters<Migration>[0],
    isWanted: (keys: readonly string[]) => boolean,
  ): Promise<void> {
    for (const [index, keys] of Object.entries(options.indexes ?? {})) {
      if (isWanted(keys)) await db.schema.createIndex(index).on(name).columns(namesOf(keys)).execute()
    }
  }
}

const namesOf = (keys: readonly string[]) => keys.map(columnName) as [string, ...string[]]

const withSettings = (built: ColumnDefinitionBuilder, { type, settings }: TableColumn): ColumnDefinitionBuilder => {
  if (type === 'serial') return built
  if (settings.isPrimaryKey) return built.primaryKey()
  const unique = settings.isUnique ? built.unique() : built
  return settings.isNullable || settings.addedIn !== undefined ? unique : unique.notNull()
}

const writtenValue = (column: TableColumn | undefined, value: unknown): unknown => {
  if (column?.schema === undefined || value === undefined) return value
  return value === null && column.settings.isNullable ? null : toJson(column.schema.parse(value))
}
