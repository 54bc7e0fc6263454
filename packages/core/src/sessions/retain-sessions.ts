import type { Retention } from '@sibyl/plugin'
import { notHeld, type RetentionRun } from '@sibyl/plugin/host'
import { type Storage, sql } from '@sibyl/storage'
import type { CoreTables } from '../database/core-tables.ts'
import { removeSession } from './remove-session.ts'

const dayMs = 86_400_000
/** Sessions that are read, and archived, at once. */
const sessionsAtOnce = 100
/** Rows of an archived file. */
const rowsAtOnce = 500
/** Turns whose calls are in one file. */
const turnsAtOnce = 100
/** Sessions between two copies of SQLite's log. */
const copiedEvery = 8

type SessionStorage = Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>

/**
 * Returns the retention of conversations, each with its turns, messages, calls and approvals, by its last activity. One with a
 * running turn, a pending approval, an effect of unknown outcome, a pending `after` hook or a legal hold stays.
 *
 * @param days undefined keeps all
 */
export const retainSessions = (storage: SessionStorage, days: number | undefined): Retention => ({
  table: 'core_sessions',
  async apply({ now, signal, archive }) {
    if (days === undefined) return 0
    const due = dueSessions(now - days * dayMs)
    let removed = 0
    for (;;) {
      const sessions = await storage.read
        .selectFrom('core_sessions')
        .select(['owner', 'id'])
        .where(due)
        .orderBy('updated_at')
        .limit(sessionsAtOnce)
        .execute()
      if (archive) await archiveSessions(storage, sessions, archive)
      const before = removed
      for (const [index, { owner, id }] of sessions.entries()) {
        if (signal.aborted) return removed
        const log = index === sessions.length - 1 ? 'emptied' : index % copiedEvery === 0 ? 'copied' : 'left'
        if (await removeSession(storage, owner, id, log, due)) removed += 1
      }
      if (sessions.length < sessionsAtOnce || removed === before) return removed
    }
  },
})

const dueSessions = (before: number) =>
  sql<boolean>`core_sessions.updated_at < ${sql.lit(before)} and core_sessions.running_turn is null
    and ${notHeld('core_sessions', 'owner')}
    and not exists (select 1 from core_approvals
      where core_approvals.owner = core_sessions.owner and core_approvals.session_id = core_sessions.id
        and core_approvals.state = 'open')
    and not exists (select 1 from core_turns
      where core_turns.owner = core_sessions.owner and core_turns.session_id = core_sessions.id
        and (core_turns.hooks_called = 0 or core_turns.ended_at is null or exists (
          select 1 from core_tool_calls where core_tool_calls.turn_id = core_turns.id
            and core_tool_calls.state in ('intended', 'waiting'))))`

const archiveSessions = async (
  { read }: SessionStorage,
  sessions: readonly { readonly owner: string; readonly id: string }[],
  archive: NonNullable<RetentionRun['archive']>,
): Promise<void> => {
  if (sessions.length === 0) return
  const list = sql.join(sessions.map(({ owner, id }) => sql`(${owner}, ${id})`))
  await archive(
    'core_sessions',
    await read.selectFrom('core_sessions').selectAll().where(sql<boolean>`(owner, id) in (values ${list})`).execute(),
  )
  const place = sql`(owner, session_id, id)`
  for (const table of ['core_turns', 'core_messages', 'core_approvals'] as const) {
    for (let last = ['', '', '']; ; ) {
      const rows = await read
        .selectFrom(table)
        .selectAll()
        .where(sql<boolean>`(owner, session_id) in (values ${list}) and ${place} > (${sql.join(last)})`)
        .orderBy(sql`owner, session_id, id`)
        .limit(rowsAtOnce)
        .execute()
      await archive(table, rows)
      if (table === 'core_turns')
        await archiveCalls(
          read,
          rows.map(({ id }) => id),
          archive,
        )
      const end = rows.at(-1)
      if (end === undefined || rows.length < rowsAtOnce) break
      last = [end.owner, end.session_id, end.id]
    }
  }
}

const archiveCalls = async (
  read: SessionStorage['read'],
  turns: readonly string[],
  archive: NonNullable<RetentionRun['archive']>,
): Promise<void> => {
  for (let from = 0; from < turns.length; from += turnsAtOnce) {
    const some = turns.slice(from, from + turnsAtOnce)
    await archive(
      'core_tool_calls',
      await read.selectFrom('core_tool_calls').selectAll().where('turn_id', 'in', some).execute(),
    )
  }
}
