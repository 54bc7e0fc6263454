import type { ColumnType } from 'kysely'
import type { z } from 'zod'
import type { ColumnTypes } from '../sql/column-types.ts'
import type { JsonText } from '../sql/json-text.ts'

/** Types of columns, as migrations name them. */
export type TableColumnType = Exclude<keyof ColumnTypes, 'engine' | 'storedByKey' | 'unlogged'>

interface ColumnSettings {
  readonly isNullable?: boolean
  readonly isFilled?: boolean
  readonly isPrimaryKey?: boolean
  readonly isUnique?: boolean
  readonly addedIn?: string
  readonly default?: string | number | boolean
}

/**
 * A column of a table.
 *
 * Type parameters: what a query selects, what it writes, and what `values` of the table takes.
 */
export class TableColumn<Selected = unknown, Written = unknown, Plain = unknown> {
  declare readonly types: { readonly selected: Selected; readonly written: Written; readonly plain: Plain }
  readonly type: TableColumnType
  /** Schema of the values of a JSON column. */
  readonly schema: z.ZodType | undefined
  readonly settings: ColumnSettings

  constructor(type: TableColumnType, schema?: z.ZodType, settings: ColumnSettings = {}) {
    this.type = type
    this.schema = schema
    this.settings = settings
  }

  /** The column may be null. */
  nullable(): TableColumn<Selected | null, Written | null, Plain | null> {
    return new TableColumn(this.type, this.schema, { ...this.settings, isNullable: true })
  }

  /** The database lets the column be null, because it was added to a table with rows, but every row has a value. */
  filled(): TableColumn<Selected, Written, Plain> {
    return new TableColumn(this.type, this.schema, { ...this.settings, isNullable: true, isFilled: true })
  }

  /** The database sets this value in rows that are inserted without one. */
  default(value: string | number | boolean): TableColumn<Selected, Written | undefined, Plain | undefined> {
    return new TableColumn(this.type, this.schema, { ...this.settings, default: value })
  }

  /** The column is the primary key alone; a key of several columns is in the options of the table. */
  primaryKey(): TableColumn<Selected, Written, Plain> {
    return new TableColumn(this.type, this.schema, { ...this.settings, isPrimaryKey: true })
  }

  /** No two rows have the same value. */
  unique(): TableColumn<Selected, Written, Plain> {
    return new TableColumn(this.type, this.schema, { ...this.settings, isUnique: true })
  }

  /**
   * The column was added by a later migration, which calls `addColumns` with the same name. The database lets it be null; that
   * migration fills it unless its type has null.
   */
  since(migration: string): TableColumn<Selected, Written, Plain> {
    return new TableColumn(this.type, this.schema, { ...this.settings, addedIn: migration })
  }
}

/** The column in the row type of Kysely. */
export type KyselyColumn<Column> =
  Column extends TableColumn<infer Selected, infer Written>
    ? [Selected, Written] extends [Written, Selected]
      ? Selected
      : ColumnType<Selected, Written, Written>
    : never

/** Columns by type; both engines read the same from them. */
export const column = {
  /** The primary key, a number that the database counts up. */
  serial: () => new TableColumn<number, number | undefined, number | undefined>('serial'),
  /** Text, ordered by bytes. */
  text: <Value extends string = string>() => new TableColumn<Value, Value, Value>('text'),
  /** A whole number of 64 bits. */
  integer: () => new TableColumn<number, number, number>('integer'),
  /** The same, which may exceed `Number.MAX_SAFE_INTEGER`. */
  bigInteger: () => new TableColumn<bigint | number, bigint | number, bigint | number>('integer'),
  real: () => new TableColumn<number, number, number>('real'),
  boolean: () => new TableColumn<boolean, boolean, boolean>('boolean'),
  /** A time in milliseconds since 1970; a Date may be written. */
  timestamp: () => new TableColumn<number, number | Date, number | Date>('timestamp'),
  bytes: () => new TableColumn<Uint8Array, Uint8Array, Uint8Array>('bytes'),
  /** JSON. `values` of the table checks it by the schema before it is written; what is read is not checked. */
  json: <Schema extends z.ZodType>(schema: Schema) =>
    new TableColumn<z.output<Schema>, JsonText, z.input<Schema>>('json', schema),
} as const
