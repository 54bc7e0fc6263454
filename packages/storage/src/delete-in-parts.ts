import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import { sql } from './kysely.ts'
import type { Storage } from './storage.ts'

/** The rows that `deleteInParts` deletes. */
export interface RowsToDelete<Tables, Table extends keyof Tables & string> {
  readonly table: Table
  /** The columns of the table's primary key. */
  readonly key: readonly [keyof Tables[Table] & string, ...(keyof Tables[Table] & string)[]]
  /** Which of its rows. */
  readonly where: (eb: ExpressionBuilder<Tables, Table>) => Expression<SqlBool>
  /** Ends the work after the part under way; the rest is left for the next time. */
  readonly signal?: AbortSignal | undefined
}

/** How many keys are read at once. */
const keysAtOnce = 5_000
/** How many rows the first part has, and the fewest and most of the later ones. */
const firstRows = 100
const fewestRows = 20
const mostRows = 1_000
/** How long one part should take, in milliseconds: on SQLite the event loop waits for it. */
const partMs = 5

/**
 * Deletes rows that are no longer needed in small writes of their own, so that other work goes on between them. On SQLite one
 * large `DELETE` stops the event loop for as long as it takes. A row that changed since its key was read is checked again.
 *
 * @returns how many rows it deleted
 * @example
 * await deleteInParts(storage, { table: 'notes', key: ['id'], where: eb => eb('expires_at', '<', clock.now()) })
 */
export const deleteInParts = async <Tables, Table extends keyof Tables & string>(
  storage: Pick<Storage<Tables>, 'engine' | 'read' | 'write'>,
  { table, key, where, signal }: RowsToDelete<Tables, Table>,
): Promise<number> => {
  const which = where as unknown as (eb: ExpressionBuilder<AnyTables, string>) => Expression<SqlBool>
  const columns = sql`(${sql.join(key.map(name => sql.ref(name)))})`
  const among = (rows: readonly AnyRow[]) => {
    const list = sql.join(rows.map(row => sql`(${sql.join(key.map(name => row[name]))})`))
    return storage.engine === 'sqlite' ? sql`(values ${list})` : sql`(${list})`
  }
  const name: string = table
  const read = storage.read as unknown as Kysely<AnyTables>
  let [deleted, rows] = [0, firstRows]
  for (;;) {
    const keys = await read.selectFrom(name).select(key).where(which).limit(keysAtOnce).execute()
    const before = deleted
    for (let from = 0, next = 0; from < keys.length; from = next) {
      if (signal?.aborted) return deleted
      next = from + rows
      const some = keys.slice(from, next)
      const { count, tookMs } = await storage.write(
        async tx => {
          const start = performance.now()
          const { numDeletedRows } = await (tx as unknown as Kysely<AnyTables>)
            .deleteFrom(name)
            .where(columns, 'in', among(some))
            .where(which)
            .executeTakeFirstOrThrow()
          return { count: Number(numDeletedRows), tookMs: performance.now() - start }
        },
        { isolation: 'read committed' },
      )
      deleted += count
      const fitting = (some.length * partMs) / Math.max(tookMs, 0.1)
      rows = Math.round(Math.min(Math.max(fitting, fewestRows), rows * 2, mostRows))
    }
    if (keys.length < keysAtOnce || deleted === before) return deleted
  }
}

type AnyRow = Record<string, unknown>

/** Tables of which nothing is known. */
type AnyTables = Record<string, AnyRow>
