import type { Migration } from '../migrations/migrations.ts'
import type { KyselyColumn, TableColumn } from './table-column.ts'

/** Columns by their names: in camelCase for `camelCaseStorage`, otherwise as in the database. */
export type TableColumns = Readonly<Record<string, TableColumn>>

interface TableIndex<Name extends string> {
  readonly columns: readonly Name[]
  readonly unique?: true
  /** SQL: only rows that match are in the index. */
  readonly where?: string
}

/** Keys and indexes of a table, with columns as the definition names them. */
export interface TableOptions<Name extends string> {
  /** Primary key of several columns. */
  readonly primaryKey?: readonly Name[]
  /** Columns that are unique together, by the name of the constraint. */
  readonly unique?: Readonly<Record<string, readonly Name[]>>
  readonly indexes?: Readonly<Record<string, readonly Name[] | TableIndex<Name>>>
  /** SQL that each row fulfills, by the name of the constraint. */
  readonly checks?: Readonly<Record<string, string>>
  /** Stores the rows in the order of the primary key. @default false */
  readonly storedByKey?: boolean
  /** A crash may lose the rows. @default false */
  readonly unlogged?: boolean
}

export type KyselyRow<Columns extends TableColumns> = { [Name in keyof Columns]: KyselyColumn<Columns[Name]> }

/** Values of columns as `values` takes them. */
export type PlainValues<Columns extends TableColumns> = {
  [Name in keyof Columns]?: Columns[Name]['types']['plain']
}

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
