import { sql } from '@sibyl/plugin/storage'
import type { RowOf, sessionTable, UssdStorage } from '../storage/ussd-tables.ts'

type RawBuilder = ReturnType<typeof sql>

/** Tolerated time of a row in the future, in milliseconds. */
export const aheadMs = 1_000

/** Time after which the session of an action that no process has ended may be deleted, in milliseconds. */
export const keepRunsMs = 86_400_000

export type SessionChange = Omit<RowOf<typeof sessionTable>, 'born_at' | 'updated_at' | 'expires_at' | 'run_until'> & {
  /** Whether the caller sent input; otherwise its times do not change. */
  readonly touched: boolean
  /** Whether its action runs. */
  readonly runs: boolean
}

/** A row with the time of its read. */
export type SessionRow = Omit<RowOf<typeof sessionTable>, 'born_at'> & { readonly now: number }

/** Returns the time that all processes share: PostgreSQL's clock; on SQLite, which has one process, the given time. */
export const sharedNow = (engine: UssdStorage['engine'], now: number) =>
  engine === 'postgres'
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`cast(${now} as integer)`

/** Columns of `SessionRow`, besides `now`. */
export const sessionColumns = sql.raw(
  'key, session_id, provider, service_code, phone, caller, state, status, version, updated_at, expires_at, run_until',
)

/** Reads rows. @param which The rest of the statement after the table's name: conditions, order, limit. */
export const selectSessions = async (
  storage: Pick<UssdStorage, 'engine' | 'read'>,
  now: number,
  which: RawBuilder,
): Promise<readonly SessionRow[]> => {
  const { rows } = await sql<SessionRow>`
    select ${sessionColumns}, ${sharedNow(storage.engine, now)} as now
    from ussd_sessions ${which}`.execute(storage.read)
  return rows
}
