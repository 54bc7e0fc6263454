import { runEach, sql } from '@sibyl/plugin/storage'
import type { UssdStorage, WriteTransaction } from '../storage/ussd-tables.ts'
import { keepRunsMs, type SessionChange, sharedNow } from './session-sql.ts'

/** The time of a write, and the lifetime of sessions after it. */
interface WriteTimes {
  readonly now: number
  readonly ttlMs: number
}

/**
 * Writes rows, each only if its version follows that of the stored row; returns the keys of those that were written. An
 * erased row is not restored.
 */
export const writeSessions = (
  tx: WriteTransaction,
  engine: UssdStorage['engine'],
  changes: readonly SessionChange[],
  times: WriteTimes,
): Promise<ReadonlySet<string>> => {
  const sorted = changes.toSorted((left, right) => (left.key < right.key ? -1 : 1))
  return engine === 'sqlite' ? writeEach(tx, sorted, times) : writeTogether(tx, sorted, times)
}

const insertOne = `
  insert into ussd_sessions (key, session_id, provider, service_code, phone, caller, state, status, version, born_at, updated_at,
    expires_at, run_until)
  values (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?)
  on conflict do nothing`

const updateOne = `
  update ussd_sessions set service_code = ?, state = ?, status = ?, version = ?, updated_at = coalesce(?, updated_at),
    expires_at = coalesce(?, expires_at), run_until = ?
  where key = ? and version = ?`

/** SQLite: one statement per row. */
const writeEach = async (
  tx: WriteTransaction,
  changes: readonly SessionChange[],
  times: WriteTimes,
): Promise<ReadonlySet<string>> => {
  const fresh = changes.filter(({ version }) => version === 1)
  const moved = changes.filter(({ version }) => version > 1)
  const inserts = fresh.map(row => insertValues(row, times))
  const updates = moved.map(row => updateValues(row, times))
  const inserted = inserts.length > 0 ? await runEach(tx, insertOne, inserts) : []
  const updated = updates.length > 0 ? await runEach(tx, updateOne, updates) : []
  const written = new Set<string>()
  for (let index = 0; index < inserted.length; index++) if (inserted[index]! > 0) written.add(fresh[index]!.key)
  for (let index = 0; index < updated.length; index++) if (updated[index]! > 0) written.add(moved[index]!.key)
  return written
}

const insertValues = (row: SessionChange, { now, ttlMs }: WriteTimes): readonly unknown[] => [
  row.key,
  row.session_id,
  row.provider,
  row.service_code,
  row.phone,
  row.caller,
  row.state,
  row.status,
  now,
  now,
  now + ttlMs,
  runUntil(row, now),
]

const updateValues = (row: SessionChange, { now, ttlMs }: WriteTimes): readonly unknown[] => {
  const [updated, expires] = row.touched ? [now, now + ttlMs] : [null, null]
  return [
    row.service_code,
    row.state,
    row.status,
    row.version,
    updated,
    expires,
    runUntil(row, now),
    row.key,
    row.version - 1,
  ]
}

const runUntil = ({ runs }: SessionChange, now: number): number | null => (runs ? now + keepRunsMs : null)

/** Maximum number of rows of a statement on PostgreSQL, by the limit of its protocol. */
const maxRows = 1_024

/** Birth time of a row that replaces another one, and is never inserted. */
const neverBorn = 0

/**
 * PostgreSQL: many rows per statement. A row that was erased meanwhile is inserted with a version above 1 and without a
 * birth time, and is deleted.
 */
const writeTogether = async (
  tx: WriteTransaction,
  changes: readonly SessionChange[],
  times: WriteTimes,
): Promise<ReadonlySet<string>> => {
  const written = new Set<string>()
  for (let start = 0; start < changes.length; start += maxRows) {
    const rows = changes.slice(start, start + maxRows).map(row => rowValues(row, times))
    const done = await sql<{ key: string; born_at: number }>`
      insert into ussd_sessions (key, session_id, provider, service_code, phone, caller, state, status, version, born_at,
        updated_at, expires_at, run_until)
      values ${sql.join(rows)}
      on conflict (key) do update set service_code = excluded.service_code, state = excluded.state,
        status = excluded.status, version = excluded.version,
        updated_at = case excluded.updated_at when 0 then ussd_sessions.updated_at else excluded.updated_at end,
        expires_at = case excluded.updated_at when 0 then ussd_sessions.expires_at else excluded.expires_at end,
        run_until = excluded.run_until
      where ussd_sessions.version = excluded.version - 1
      returning key, born_at`.execute(tx)
    const erased = done.rows.filter(row => row.born_at === neverBorn).map(({ key }) => key)
    if (erased.length > 0) await sql`delete from ussd_sessions where key in (${sql.join(erased)})`.execute(tx)
    for (const { key, born_at } of done.rows) if (born_at !== neverBorn) written.add(key)
  }
  return written
}

const rowValues = (row: SessionChange, { now, ttlMs }: WriteTimes) => {
  const at = (offsetMs: number) => sql`${sharedNow('postgres', now)} + ${sql.lit(offsetMs)}`
  const born = row.version === 1 ? at(0) : sql`0`
  const [updated, expires] = row.touched ? [at(0), at(ttlMs)] : [sql`0`, sql`0`]
  return sql`(${row.key}, ${row.session_id}, ${row.provider}, ${row.service_code}, ${row.phone}, ${row.caller}, ${row.state},
    ${row.status}, ${row.version}, ${born}, ${updated}, ${expires}, ${row.runs ? at(keepRunsMs) : sql`null`})`
}
