import { sql } from '@sibyl/core/storage'
import type { UssdStorage, WriteTransaction } from '../storage/ussd-tables.ts'
import type { SessionTable } from './session-tables.ts'

type RawBuilder = ReturnType<typeof sql>

/** How far a clock may seem behind the row it judges, in milliseconds. */
export const aheadMs = 1_000

/** How long the process that runs an action counts as alive after it last said so, in milliseconds. */
export const leaseMs = 15_000

/** A row to be written. */
export type SessionChange = Omit<SessionTable, 'born_at' | 'updated_at' | 'expires_at' | 'run_until'> & {
  /** Whether the person did something; without it, its times stay as they are. */
  readonly touched: boolean
  readonly running: Running
}

/** Who runs a session's action: this process, nobody, or whoever did before. */
export type Running = 'here' | 'nowhere' | 'as-before'

/** A row that was read, with the time of the reading. */
export type SessionRow = Omit<SessionTable, 'born_at'> & { readonly now: number }

const runningCodes: Readonly<Record<Running, number | null>> = { here: 1, nowhere: null, 'as-before': -1 }

/** The time that all who share the database agree on: PostgreSQL's; on SQLite, with its one process, the time given. */
export const sharedNow = (engine: UssdStorage['engine'], now: number) =>
  engine === 'postgres'
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`cast(${now} as integer)`

/** These values, for `in (...)`. On SQLite the statement is the same for any number, so that it is prepared once. */
export const among = (engine: UssdStorage['engine'], values: readonly string[]) =>
  engine === 'sqlite' ? sql`select value from json_each(${JSON.stringify(values)})` : sql`${sql.join([...values])}`

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
 * Writes rows, all in one statement, each only if its version follows that of the row there.
 *
 * @param changes One a key.
 * @returns the keys of those that were written
 */
export const upsertSessions = async (
  tx: WriteTransaction,
  engine: UssdStorage['engine'],
  changes: readonly SessionChange[],
  times: { readonly now: number; readonly ttlMs: number },
): Promise<ReadonlySet<string>> => {
  const now = sharedNow(engine, times.now)
  const rows = JSON.stringify(
    changes
      .toSorted((left, right) => (left.key < right.key ? -1 : 1))
      .map(row => [
        row.key,
        row.session_id,
        row.provider,
        row.service_code,
        row.phone,
        row.caller,
        row.state,
        row.status,
        row.version,
        row.touched ? 1 : 0,
        runningCodes[row.running],
      ]),
  )
  const source =
    engine === 'sqlite' ? sql`json_each(${rows}) as change` : sql`json_array_elements(${rows}::json) as change(value)`
  const integer = (index: number) =>
    engine === 'sqlite' ? sql.raw(`value ->> ${index}`) : sql.raw(`(value ->> ${index})::bigint`)
  const written = await sql<{ key: string }>`
    insert into ussd_sessions (key, session_id, provider, service_code, phone, caller, state, status, version, born_at,
      updated_at, expires_at, run_until)
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
      ${integer(8)}, ${now}, ${integer(9)} * ${now}, ${integer(9)} * (${now} + ${sql.lit(times.ttlMs)}),
      case ${integer(10)} when 1 then ${now} + ${sql.lit(leaseMs)} else ${integer(10)} end
    from ${source} where true
    on conflict (key) do update set service_code = excluded.service_code, state = excluded.state, status = excluded.status, version = excluded.version,
      updated_at = case excluded.updated_at when 0 then ussd_sessions.updated_at else excluded.updated_at end,
      expires_at = case excluded.updated_at when 0 then ussd_sessions.expires_at else excluded.expires_at end,
      run_until = case excluded.run_until when -1 then ussd_sessions.run_until else excluded.run_until end
    where ussd_sessions.version = excluded.version - 1
    returning key`.execute(tx)
  return new Set(written.rows.map(row => row.key))
}

/** Takes over the action of a session, if nobody runs it; `live` also where somebody seems to. */
export const claimRun = async (
  tx: WriteTransaction,
  engine: UssdStorage['engine'],
  { key, live, now }: { readonly key: string; readonly live: boolean; readonly now: number },
): Promise<boolean> => {
  const at = sharedNow(engine, now)
  const { rows } = await sql`
    update ussd_sessions set run_until = ${at} + ${sql.lit(leaseMs)}
    where key = ${key} and run_until is not null and (run_until <= ${at} or ${sql.lit(live ? 1 : 0)} = 1)
    returning key`.execute(tx)
  return rows.length > 0
}
