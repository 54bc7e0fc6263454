import { sql } from '@sibyl/core/storage'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import type { SessionView } from './session-engine.ts'
import type { KnownSession } from './session-record.ts'
import { sharedNow } from './session-sql.ts'
import type { SessionStore } from './session-store.ts'

/** The newest active session of an id, whosever it is. */
export const findView = async (
  store: SessionStore,
  openPhone: (session: KnownSession) => string,
  sessionId: string,
): Promise<SessionView | undefined> => {
  const found = await store.newestOf(sessionId)
  if (found?.live !== true) return undefined
  const { state, reply } = found.record
  return {
    sessionId,
    phoneNumber: openPhone(found),
    state: state.screen,
    message: reply.text,
    isAuthenticated: state.customerId !== undefined,
    status: 'active',
  }
}

/** The ids of active sessions, the newest first, and how many there are. */
export const listActive = async (
  storage: UssdStorage,
  time: number,
  limit: number,
): Promise<{ readonly ids: readonly string[]; readonly count: number }> => {
  const now = sharedNow(storage.engine, time)
  const active = sql`from ussd_sessions where status = 'active' and expires_at > ${now}`
  const ids = await sql<{ session_id: string }>`
    select session_id ${active} order by born_at desc limit ${limit}`.execute(storage.read)
  const counted = await sql<{ count: number }>`select count(*) as count ${active}`.execute(storage.read)
  return { ids: ids.rows.map(row => row.session_id), count: Number(counted.rows[0]?.count ?? 0) }
}
