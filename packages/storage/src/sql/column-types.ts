import type { ColumnDataType, RawBuilder } from 'kysely'
import type { Engine } from './engine.ts'
import { sql } from './kysely.ts'

/** A column type as `addColumn` takes it. */
export type DataType = ColumnDataType | RawBuilder<unknown>

/**
 * Column types for migrations: one text for both engines, and rows that read the same from both.
 * What a query computes (not a plain column) has the engine's own type, except that integers are always numbers.
 */
export interface ColumnTypes {
  /** For what only one of the engines has, such as its full-text search. */
  readonly engine: Engine
  /** Text, ordered by bytes. */
  readonly text: DataType
  /** A whole number of 64 bits. Reads as a number; as a bigint only where it exceeds `Number.MAX_SAFE_INTEGER`. */
  readonly integer: DataType
  /** A number with fraction, of 64 bits. */
  readonly real: DataType
  /** A time as whole milliseconds since 1970. A Date may be written, a number is read. */
  readonly timestamp: DataType
  /** true or false. */
  readonly boolean: DataType
  /** JSON; written with `toJson(value)`, read as the value, its keys in the order written. */
  readonly json: DataType
  /** Bytes; written and read as a Uint8Array. */
  readonly bytes: DataType
  /** The table's primary key, a number that the database counts up and never gives twice. Add no `.primaryKey()`. */
  readonly serial: DataType
  /**
   * The end of a table whose rows are found by its primary key: `.modifyEnd(column.storedByKey)`. On SQLite the rows then
   * lie in the key's order (WITHOUT ROWID), which halves what an insert writes; PostgreSQL has its own way.
   */
  readonly storedByKey: RawBuilder<unknown>
  /**
   * The beginning of a table whose rows a crash may lose: `.modifyFront(column.unlogged)`. PostgreSQL then writes none of
   * them to its log, so that a commit waits for no disk; SQLite has no such tables.
   */
  readonly unlogged: RawBuilder<unknown>
}

/** The declared type that marks a JSON column on SQLite; with TEXT in it, so that values keep their form. */
export const SQLITE_JSON_TYPE = 'json_text'
/** The declared type that marks a boolean column on SQLite. */
export const SQLITE_BOOLEAN_TYPE = 'boolean'

const columnTypes: Readonly<Record<Engine, ColumnTypes>> = {
  sqlite: {
    engine: 'sqlite',
    text: 'text',
    integer: 'integer',
    real: 'real',
    timestamp: 'integer',
    boolean: sql.raw(SQLITE_BOOLEAN_TYPE),
    json: sql.raw(SQLITE_JSON_TYPE),
    bytes: 'blob',
    serial: sql`integer primary key autoincrement`,
    storedByKey: sql`without rowid`,
    unlogged: sql``,
  },
  postgres: {
    engine: 'postgres',
    text: sql`text collate "C"`,
    integer: 'bigint',
    real: 'double precision',
    timestamp: 'bigint',
    boolean: 'boolean',
    json: 'json',
    bytes: 'bytea',
    serial: sql`bigserial primary key`,
    storedByKey: sql``,
    unlogged: sql`unlogged`,
  },
}

/** The column types as this engine spells them. */
export const columnTypesFor = (engine: Engine): ColumnTypes => columnTypes[engine]
