import { sql } from '@sibyl/plugin/storage'
import { among, openedOrUndefined } from '../storage/value-lists.ts'
import type { SessionContext } from './session-context.ts'
import type { KnownSession } from './session-record.ts'
import { selectSessions, sharedNow } from './session-sql.ts'

/** A session in the response of the debug route. */
export interface SessionView {
  readonly sessionId: string
  readonly phoneNumber: string
  readonly state: string
  /** The last text on the phone. */
  readonly message: string
  readonly isAuthenticated: boolean
  readonly status: 'active'
}

/** Returns the sessions of a caller, most recently used first; at most 5. */
export const sessionsOfCaller = (context: SessionContext, callers: readonly string[]) =>
  openedSessions(
    context,
    sql`where caller in ${among(context.storage.engine, callers)} order by updated_at desc limit 5`,
  )

/** Returns the newest active session of an id, of any phone. */
export const viewSession = async (context: SessionContext, sessionId: string): Promise<SessionView | undefined> => {
  const which = sql`where session_id = ${sessionId} and status = 'active' order by updated_at desc`
  const session = (await openedSessions(context, which)).find(({ live }) => live)
  if (session === undefined) return undefined
  const { state, reply } = session.record
  return {
    sessionId,
    phoneNumber: context.seals.openPhone(session),
    state: state.screen,
    message: reply.text,
    isAuthenticated: state.customerId !== undefined,
    status: 'active',
  }
}

/** Returns the IDs of active sessions, newest first, and their number. */
export const listSessions = async (
  { storage, time }: SessionContext,
  limit: number,
): Promise<{ readonly ids: readonly string[]; readonly count: number }> => {
  const active = sql`from ussd_sessions where status = 'active' and expires_at > ${sharedNow(storage.engine, time.now())}`
  const ids = await sql<{ session_id: string }>`
    select session_id ${active} order by born_at desc limit ${limit}`.execute(storage.read)
  const counted = await sql<{ count: number }>`select count(*) as count ${active}`.execute(storage.read)
  return { ids: ids.rows.map(row => row.session_id), count: Number(counted.rows[0]?.count ?? 0) }
}

/** Returns the sessions that the current keys open. */
const openedSessions = async (
  { storage, time, seals }: SessionContext,
  which: ReturnType<typeof sql>,
): Promise<readonly KnownSession[]> => {
  const rows = await selectSessions(storage, time.now(), which)
  return rows.flatMap(row => openedOrUndefined(() => seals.session(row)) ?? [])
}
