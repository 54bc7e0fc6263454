import type { ColumnDefinitionBuilder, CompiledQuery, CreateTableBuilder } from 'kysely'
import type { Migration } from '../migrations/migrations.ts'
import type { ColumnTypes } from '../sql/column-types.ts'
import { sql } from '../sql/kysely.ts'
import { columnName } from './camel-case-storage.ts'
import type { Table } from './table.ts'
import type { TableColumn } from './table-column.ts'

type Database = Parameters<Migration>[0]

/** A statement that creates something. */
interface CreateStatement {
  compile(): CompiledQuery
  execute(): Promise<unknown>
}

/**
 * Runs the statements of new tables; on PostgreSQL in one round trip, which takes milliseconds each on a network. An index of a
 * table with rows is a query of its own, since each has a time limit.
 */
export const runStatements = async (
  statements: readonly CreateStatement[],
  db: Database,
  { engine }: Pick<ColumnTypes, 'engine'>,
): Promise<void> => {
  if (engine === 'postgres' && statements.length > 1) {
    await sql.raw(statements.map(statement => statement.compile().sql).join(';\n')).execute(db)
  } else for (const statement of statements) await statement.execute()
}

/** Returns what creates a table with its indexes, without columns that a later migration adds. */
export const createTable = (table: Table, db: Database, types: ColumnTypes): CreateStatement[] => {
  const { name, columns, options } = table
  const { primaryKey, unique = {}, checks = {}, storedByKey, unlogged } = options
  let built: CreateTableBuilder<string, string> = db.schema.createTable(name)
  for (const [key, column] of Object.entries(columns)) {
    if (column.settings.addedIn !== undefined) continue
    built = built.addColumn(columnName(key), types[column.type], one => withSettings(one, column))
  }
  if (primaryKey) built = built.addPrimaryKeyConstraint(`${name}_key`, namesOf(primaryKey))
  for (const [constraint, keys] of Object.entries(unique)) built = built.addUniqueConstraint(constraint, namesOf(keys))
  for (const [constraint, condition] of Object.entries(checks))
    built = built.addCheckConstraint(constraint, sql.raw(condition))
  if (storedByKey) built = built.modifyEnd(types.storedByKey)
  if (unlogged) built = built.modifyFront(types.unlogged)
  return [built, ...createIndexes(table, db)]
}

/** Adds a column to the existing table. */
export const addColumn = async (
  { name, columns }: Table,
  key: string,
  db: Database,
  types: ColumnTypes,
): Promise<void> => {
  const column = columns[key]!
  await db.schema
    .alterTable(name)
    .addColumn(columnName(key), types[column.type], one => withSettings(one, column))
    .execute()
}

/** Returns what creates indexes of a table. @param of Selects them by their columns. @default those that no later migration adds */
export const createIndexes = (
  { name, columns, options }: Table,
  db: Database,
  {
    of = keys => keys.every(key => columns[key]?.settings.addedIn === undefined),
    unlessExist = false,
  }: { readonly of?: (keys: readonly string[]) => boolean; readonly unlessExist?: boolean } = {},
): CreateStatement[] =>
  Object.entries(options.indexes ?? {}).flatMap(([index, given]) => {
    const { columns: keys, unique, where } = 'columns' in given ? given : { columns: given }
    if (!of(keys)) return []
    let built = db.schema.createIndex(index).on(name).columns(namesOf(keys))
    if (unique) built = built.unique()
    if (unlessExist) built = built.ifNotExists()
    return [where === undefined ? built : built.where(sql.raw<boolean>(where))]
  })

const namesOf = (keys: readonly string[]) => keys.map(columnName) as [string, ...string[]]

const withSettings = (built: ColumnDefinitionBuilder, { type, settings }: TableColumn): ColumnDefinitionBuilder => {
  if (type === 'serial') return built
  if (settings.isPrimaryKey) return built.primaryKey()
  const unique = settings.isUnique ? built.unique() : built
  const filled = settings.default === undefined ? unique : unique.defaultTo(settings.default)
  return settings.isNullable || settings.addedIn !== undefined ? filled : filled.notNull()
}
