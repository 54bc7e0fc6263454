import type { Transaction } from 'kysely'
import type { ColumnTypes } from '../sql/column-types.ts'

/** Any tables: a migration writes against a schema that no type describes any more. */
export type UntypedTables = Record<string, Record<string, unknown>>

/** One step of a schema: changes the database inside a transaction, with column types that fit its engine. */
export type Migration = (db: Transaction<UntypedTables>, column: ColumnTypes) => Promise<void>

/**
 * An owner's migrations under their names, applied once each, in the order of their names.
 *
 * Earlier migrations may be merged into one with a later name, as `createTables` does. If a database has none of the names, the
 * first replaces applied ones that sort before it, so it accepts their tables.
 *
 * @example
 * export const migrations: Migrations = {
 *   '001_notes': async (db, column) => {
 *     await db.schema
 *       .createTable('notes_note')
 *       .addColumn('id', column.text, c => c.primaryKey())
 *       .addColumn('created_at', column.timestamp, c => c.notNull())
 *       .addColumn('tags', column.json)
 *       .execute()
 *   },
 * }
 */
export type Migrations = Readonly<Record<string, Migration>>
