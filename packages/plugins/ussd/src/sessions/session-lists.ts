import { SealBrokenError } from '@sibyl/plugin/sealing'
import { sql } from '@sibyl/plugin/storage'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import { among } from '../storage/value-lists.ts'
import type { KnownSession } from './session-record.ts'
import type { SessionSeals } from './session-seals.ts'
import { type SessionRow, selectSessions, sharedNow } from './session-sql.ts'
import type { SessionTime } from './session-time.ts'

/** Queries of sessions other than by key. */
export class SessionLists {
  readonly #storage: UssdStorage
  readonly #seals: SessionSeals
  readonly #time: SessionTime

  constructor(storage: UssdStorage, seals: SessionSeals, time: SessionTime) {
    this.#storage = storage
    this.#seals = seals
    this.#time = time
  }

  /** Returns the sessions of a caller, the last used first; at most 5. */
  async ofCaller(callers: readonly string[]): Promise<readonly KnownSession[]> {
    const which = sql`
      where caller in ${among(this.#storage.engine, callers)} order by updated_at desc limit 5`
    const rows = await selectSessions(this.#storage, this.#time.now(), which)
    return this.#opened(rows)
  }

  /** Returns the newest active session of an id, of any phone. */
  async view(sessionId: string): Promise<SessionView | undefined> {
    const which = sql`where session_id = ${sessionId} and status = 'active' order by updated_at desc`
    const rows = await selectSessions(this.#storage, this.#time.now(), which)
    const session = this.#opened(rows).find(({ live }) => live)
    if (session === undefined) return undefined
    const { state, reply } = session.record
    return {
      sessionId,
      phoneNumber: this.#seals.openPhone(session),
      state: state.screen,
      message: reply.text,
      isAuthenticated: state.customerId !== undefined,
      status: 'active',
    }
  }

  /** Returns the ids of active sessions, the newest first, and their number. */
  async active(limit: number): Promise<{ readonly ids: readonly string[]; readonly count: number }> {
    const now = sharedNow(this.#storage.engine, this.#time.now())
    const active = sql`from ussd_sessions where status = 'active' and expires_at > ${now}`
    const ids = await sql<{ session_id: string }>`
      select session_id ${active} order by born_at desc limit ${limit}`.execute(this.#storage.read)
    const counted = await sql<{ count: number }>`select count(*) as count ${active}`.execute(this.#storage.read)
    return { ids: ids.rows.map(row => row.session_id), count: Number(counted.rows[0]?.count ?? 0) }
  }

  /** Returns the sessions that the current keys open. */
  #opened(rows: readonly SessionRow[]): readonly KnownSession[] {
    return rows.flatMap(row => {
      try {
        return [this.#seals.session(row)]
      } catch (error) {
        if (error instanceof SealBrokenError) return []
        throw error
      }
    })
  }
}

/** A session as the debug route shows it. */
export interface SessionView {
  readonly sessionId: string
  readonly phoneNumber: string
  readonly state: string
  /** The text last shown. */
  readonly message: string
  readonly isAuthenticated: boolean
  readonly status: 'active'
}
