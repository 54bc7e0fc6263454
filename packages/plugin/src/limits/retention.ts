import { changeInParts, type RowsToChange, type Storage, sql } from '@sibyl/storage'
import type { Counter } from './counted-rows.ts'
import { countEarlier, subtractDeleted } from './counted-rows.ts'

/** A run of the retention of an oracle. */
export interface RetentionRun {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly signal: AbortSignal
  /** Stores rows before they are deleted, durably; undefined without `RETENTION_ARCHIVE_DIR` and `RETENTION_ARCHIVE_URL`. */
  readonly archive: ((table: string, rows: readonly object[]) => Promise<void>) | undefined
}

/** Deletes rows that are past their retention. */
export interface Retention {
  readonly table: string
  /** Returns how many rows it deleted. */
  apply(run: RetentionRun): Promise<number>
}

/** The rows that `retain` deletes. */
export interface RetainedRows<Tables, Table extends keyof Tables & string>
  extends Pick<RowsToChange<Tables, Table>, 'table' | 'key'> {
  /** Returns which rows are deleted. */
  readonly where: (
    eb: Parameters<RowsToChange<Tables, Table>['where']>[0],
    now: number,
  ) => ReturnType<RowsToChange<Tables, Table>['where']>
  /** The column, as the database has it, with the DID of the person: a legal hold keeps their rows. @default none */
  readonly person?: string
  /** Whether the rows are archived before, if the operator has an archive. @default false */
  readonly archived?: boolean
  /** The counter of the columns `owner` and `bytes`, and SQL of the bytes of a row that a version before the column wrote. */
  readonly counted?: { readonly limits: Counter; readonly size: string }
}

/**
 * Returns the retention of a table, for `retention` of a plugin. An hourly job applies it, in small writes.
 *
 * @example retention: [retain(storage, { table: 'ports_tides', key: ['tide'], where: (eb, now) => eb('highAt', '<', now - keptMs) })]
 */
export const retain = <Tables, Table extends keyof Tables & string>(
  storage: Pick<Storage<Tables>, 'engine' | 'read' | 'write'>,
  { table, key, where, person, archived = false, counted }: RetainedRows<Tables, Table>,
): Retention => ({
  table,
  async apply({ now, signal, archive }) {
    const stored = new Set<string>()
    const put = archived ? archive : undefined
    const rows: RowsToChange<Tables, Table> = {
      table,
      key,
      where: eb => (person === undefined ? where(eb, now) : eb.and([where(eb, now), notHeld(table, person)])),
      signal,
      ...(put && {
        async before(found: readonly object[]) {
          stored.clear()
          for (const row of found) stored.add(archivedText(row))
          await put(table, found)
        },
      }),
    }
    const deleted = await changeInParts(storage, rows, async (tx, among) => {
      const query = tx.deleteFrom(table as string).where(among)
      const gone = put
        ? await query.returningAll().execute()
        : counted
          ? await query.returning(['owner', 'bytes']).execute()
          : Number((await query.executeTakeFirstOrThrow()).numDeletedRows)
      if (typeof gone === 'number') return gone
      if (put && gone.some(row => !stored.has(archivedText(row))))
        throw new Error(`A row of ${table} changed while it was archived. The next run deletes it.`)
      if (counted) await subtractDeleted(tx, counted.limits, gone)
      return gone.length
    })
    if (counted) await countEarlier(storage, counted.limits, { table, key, size: counted.size, signal })
    return deleted
  },
})

/** Condition on the rows of people without a legal hold. @param person The column with the DID. */
export const notHeld = (table: string, person: string) =>
  sql<boolean>`not exists (
    select 1 from core_holds where core_holds.did = ${sql.raw(`${table}.${person}`)} and core_holds.released_at is null)`

/** Returns a row as a line of the archive, with the columns as the database has them; bytes are base64. */
export const archivedText = (row: object): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
        value instanceof Uint8Array
          ? Buffer.from(value).toString('base64')
          : typeof value === 'bigint'
            ? `${value}`
            : value,
      ]),
    ),
  )
