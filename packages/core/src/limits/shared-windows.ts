import { deleteInParts, type Storage, sql } from '@sibyl/storage'
import type { CoreTables } from '../database/core-tables.ts'
import { windowMs } from './window-table.ts'

/** A request for a part of the allowance of a key. */
export interface ShareRequest {
  readonly key: string
  readonly limit: number
  /** At least 1, at most the limit. */
  readonly count: number
}

/** The granted part. */
export interface Grant {
  readonly key: string
  readonly granted: number
  /** The remaining allowance. */
  readonly left: number
  readonly endsInMs: number
}

/** The clock of the database, in milliseconds: shared by all processes. */
const clock = sql<number>`(extract(epoch from now()) * 1000)::bigint`
const hasEnded = sql<boolean>`core_rate_counts.ends_at <= ${clock}`
const grantable = sql<number>`least(excluded.granted, greatest(excluded.allowance - core_rate_counts.used, 0))`

/** Reserves parts of the allowances of this minute for a process, on PostgreSQL, in one statement. */
export const takeShares = async (
  storage: Pick<Storage<CoreTables>, 'write'>,
  requests: readonly ShareRequest[],
): Promise<Grant[]> => {
  const values = requests
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ key, limit, count }) => ({
      key,
      used: count,
      granted: count,
      allowance: limit,
      ends_at: sql<number>`${clock} + ${sql.lit(windowMs)}`,
    }))
  const rows = await storage.write(tx =>
    tx
      .insertInto('core_rate_counts')
      .values(values)
      .onConflict(conflict =>
        conflict.column('key').doUpdateSet({
          used: sql`case when ${hasEnded} then excluded.used else core_rate_counts.used + ${grantable} end`,
          granted: sql`case when ${hasEnded} then excluded.granted else ${grantable} end`,
          ends_at: sql`case when ${hasEnded} then excluded.ends_at else core_rate_counts.ends_at end`,
          allowance: sql`excluded.allowance`,
        }),
      )
      .returning(['key', 'granted', 'used', 'allowance', sql<number>`ends_at - ${clock}`.as('ends_in')])
      .execute(),
  )
  return rows.map(({ key, granted, used, allowance, ends_in }) => ({
    key,
    granted: Number(granted),
    left: Math.max(0, Number(allowance) - Number(used)),
    endsInMs: Number(ends_in),
  }))
}

/** Deletes the windows that have ended. */
export const forgetShares = async (
  storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>,
  signal?: AbortSignal,
): Promise<void> => {
  if (storage.engine !== 'postgres') return
  await deleteInParts(storage, {
    table: 'core_rate_counts',
    key: ['key'],
    where: eb => eb('ends_at', '<=', clock),
    signal,
  })
}
