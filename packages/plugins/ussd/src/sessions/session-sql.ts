import { sql } from '@sibyl/plugin/storage'
import type { RowOf, sessionTable, UssdStorage, WriteTransaction } from '../storage/ussd-tables.ts'
import { among } from '../storage/value-lists.ts'

type RawBuilder = ReturnType<typeof sql>

/** Tolerated time of a row in the future, in milliseconds. */
export const aheadMs = 1_000

/** Length of the lease of an action, in milliseconds. */
export const leaseMs = 15_000

export type SessionChange = Omit<RowOf<typeof sessionTable>, 'born_at' | 'updated_at' | 'expires_at' | 'run_until'> & {
  /** Whether the caller sent input; otherwise its times stay as they are. */
  readonly touched: boolean
  readonly running: Running
}

/** Process that runs a session's action: this one, none, or the one before. */
export type Running = 'here' | 'nowhere' | 'as-before'

/** A row that was read, with the time of the reading. */
export type SessionRow = Omit<RowOf<typeof sessionTable>, 'born_at'> & { readonly now: number }

/** Returns the time that all processes share: PostgreSQL's clock; on SQLite, with its one process, the time given. */
export const sharedNow = (engine: UssdStorage['engine'], now: number) =>
  engine === 'postgres'
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`cast(${now} as integer)`

/** Reads rows. @param which What follows the table's name: conditions, order, limit. */
export const selectSessions = async (
  storage: Pick<UssdStorage, 'engine' | 'read'>,
  now: number,
  which: RawBuilder,
): Promise<readonly SessionRow[]> => {
  const { rows } = await sql<SessionRow>`
    select key, session_id, provider, service_code, phone, caller, state, status, version, updated_at, expires_at,
      run_until, ${sharedNow(storage.engine, now)} as now
    from ussd_sessions ${which}`.execute(storage.read)
  return rows
}

/**
 * Writes rows, each only if its version follows that of the row there; returns the keys of those that were written. A row that
 * was erased meanwhile does not come back: inserted with a later version than 1, it has no time of birth and is deleted.
 */
export const upsertSessions = async (
  tx: WriteTransaction,
  engine: UssdStorage['engine'],
  changes: readonly SessionChange[],
  times: { readonly now: number; readonly ttlMs: number },
): Promise<ReadonlySet<string>> => {
  const sorted = changes.toSorted((left, right) => (left.key < right.key ? -1 : 1))
  const written = new Set<string>()
  for (let start = 0; start < sorted.length; ) {
    const size = statementSize(engine, sorted.length - start)
    const rows = sorted.slice(start, start + size).map(row => rowValues(row, engine, times))
    const done = await sql<{ key: string; born_at: number }>`
      insert into ussd_sessions (key, session_id, provider, service_code, phone, caller, state, status, version, born_at,
        updated_at, expires_at, run_until)
      values ${sql.join(rows)}
      on conflict (key) do update set service_code = excluded.service_code, state = excluded.state,
        status = excluded.status, version = excluded.version,
        updated_at = case excluded.updated_at when 0 then ussd_sessions.updated_at else excluded.updated_at end,
        expires_at = case excluded.updated_at when 0 then ussd_sessions.expires_at else excluded.expires_at end,
        run_until = case excluded.run_until when -1 then ussd_sessions.run_until else excluded.run_until end
      where ussd_sessions.version = excluded.version - 1
      returning key, born_at`.execute(tx)
    const erased = done.rows.filter(row => row.born_at === neverBorn).map(({ key }) => key)
    if (erased.length > 0) await sql`delete from ussd_sessions where key in ${among(engine, erased)}`.execute(tx)
    for (const { key, born_at } of done.rows) if (born_at !== neverBorn) written.add(key)
    start += size
  }
  return written
}

/** Birth time of a row that replaces another one, and so is never inserted. */
const neverBorn = 0

/**
 * Returns the rows of one statement: on SQLite a power of two, so that few statements are prepared; on PostgreSQL all that its
 * protocol takes.
 */
const statementSize = (engine: UssdStorage['engine'], rows: number): number =>
  engine === 'postgres' ? Math.min(rows, 1_024) : Math.min(2 ** Math.floor(Math.log2(rows)), 128)

const rowValues = (
  row: SessionChange,
  engine: UssdStorage['engine'],
  { now, ttlMs }: { readonly now: number; readonly ttlMs: number },
) => {
  const at = (offsetMs: number) =>
    engine === 'postgres' ? sql`${sharedNow(engine, now)} + ${sql.lit(offsetMs)}` : sql`${now + offsetMs}`
  const zero = engine === 'postgres' ? sql`0` : sql`${0}`
  const born = row.version === 1 ? at(0) : zero
  const [updated, expires] = row.touched ? [at(0), at(ttlMs)] : [zero, zero]
  const running = row.running === 'here' ? at(leaseMs) : sql`${row.running === 'nowhere' ? null : -1}`
  return sql`(${row.key}, ${row.session_id}, ${row.provider}, ${row.service_code}, ${row.phone}, ${row.caller}, ${row.state},
    ${row.status}, ${row.version}, ${born}, ${updated}, ${expires}, ${running})`
}
