import type { Clock } from '@sibyl/core'
import { sql } from '@sibyl/core/storage'
import type { Vault } from '../keys/vault.ts'
import type { UssdStorage, WriteTransaction } from '../storage/ussd-tables.ts'
import type { KnownSession, Session, SessionRecord } from './session-record.ts'
import {
  aheadMs,
  among,
  claimRun,
  leaseMs,
  type Running,
  type SessionChange,
  type SessionRow,
  selectSessions,
  sharedNow,
  upsertSessions,
} from './session-sql.ts'

/** What a store rests on. */
export interface SessionStoreParts {
  readonly storage: UssdStorage
  readonly vault: Vault
  readonly clock: Clock
  readonly ttlMs: number
}

/** How a session is saved. */
export interface SaveOptions {
  /** Whether the person did something. @default true */
  readonly touched?: boolean
  /** @default 'nowhere' */
  readonly running?: Running
  /** Done in the same transaction. */
  readonly write?: ((tx: WriteTransaction) => Promise<void>) | undefined
}

interface Ask {
  readonly key: string
  readonly answer: PromiseWithResolvers<KnownSession | undefined>
}

interface Wish {
  readonly change: SessionChange
  readonly saved: PromiseWithResolvers<boolean>
}

class Outdated extends Error {}

/**
 * Keeps sessions in the database. What is asked for in one turn of the event loop is read by one statement, and what is
 * saved meanwhile is written by one, in one commit.
 */
export class SessionStore {
  readonly #parts: SessionStoreParts
  #asks: Ask[] = []
  #wishes: Wish[] = []

  constructor(parts: SessionStoreParts) {
    this.#parts = parts
  }

  /** The session under this key, also one that is over; undefined where there is none. */
  find(key: string): Promise<KnownSession | undefined> {
    const answer = Promise.withResolvers<KnownSession | undefined>()
    this.#asks.push({ key, answer })
    if (this.#asks.length === 1) setImmediate(() => void this.#read())
    return answer.promise
  }

  /** The first session that there is under one of these keys. */
  async findFirst(keys: readonly [string, ...string[]]): Promise<KnownSession | undefined> {
    if (keys.length === 1) return await this.find(keys[0])
    return (await Promise.all(keys.map(key => this.find(key)))).find(session => session !== undefined)
  }

  /** The sessions of a caller, the one used last first; at most 5. */
  async ofCaller(callers: readonly string[]): Promise<readonly KnownSession[]> {
    const { storage, clock } = this.#parts
    const which = sql`where caller in (${among(storage.engine, callers)}) order by updated_at desc limit 5`
    const rows = await selectSessions(storage, clock.now(), which)
    return rows.map(row => this.#opened(row))
  }

  /** The newest active session of an id. */
  async newestOf(sessionId: string): Promise<KnownSession | undefined> {
    const { storage, clock } = this.#parts
    const which = sql`where session_id = ${sessionId} and status = 'active' order by born_at desc limit 1`
    const [row] = await selectSessions(storage, clock.now(), which)
    return row && this.#opened(row)
  }

  /** The keys of sessions whose action nobody runs; `all` also of those that somebody seems to run. */
  async leftRuns(all: boolean): Promise<readonly string[]> {
    const { storage, clock } = this.#parts
    const dead = all ? sql`` : sql`and run_until <= ${sharedNow(storage.engine, clock.now())}`
    const { rows } = await sql<{ key: string }>`
      select key from ussd_sessions where run_until is not null ${dead}`.execute(storage.read)
    return rows.map(({ key }) => key)
  }

  /** Says that this process still runs the actions of these sessions. */
  async renew(keys: readonly string[]): Promise<void> {
    const { storage, clock } = this.#parts
    if (keys.length > 0)
      await this.#setLease(keys, sql`${sharedNow(storage.engine, clock.now())} + ${sql.lit(leaseMs)}`)
  }

  /** Leaves the actions of these sessions to another process. */
  async release(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.#setLease(keys, sql`0`)
  }

  /** Takes over the action of a session, if nobody runs it; `live` also where somebody seems to. */
  async claim(key: string, live: boolean): Promise<boolean> {
    const { storage, clock } = this.#parts
    const work = (tx: WriteTransaction) => claimRun(tx, storage.engine, { key, live, now: clock.now() })
    return await storage.write(work, { isolation: 'read committed' })
  }

  /** Ends a session that another one goes on with, in the transaction of that one's move. */
  async endIn(tx: WriteTransaction, { key, version }: KnownSession): Promise<void> {
    const { rows } = await sql`
      update ussd_sessions set status = 'ended', version = version + 1 where key = ${key} and version = ${version}
      returning key`.execute(tx)
    if (rows.length === 0) throw new Outdated()
  }

  /** Saves a session if nobody else has saved this version of it; resolves, once it is on disk, with whether it did. */
  async save(session: Session, { touched = true, running = 'nowhere', write }: SaveOptions = {}): Promise<boolean> {
    const change = { ...this.#sealed(session), touched, running }
    if (write !== undefined) return await this.#saveAlone(change, write)
    const saved = Promise.withResolvers<boolean>()
    this.#wishes.push({ change, saved })
    if (this.#wishes.length === 1) void this.#write()
    return await saved.promise
  }

  async #setLease(keys: readonly string[], until: ReturnType<typeof sql>): Promise<void> {
    const { storage } = this.#parts
    await storage.write(
      tx =>
        sql`update ussd_sessions set run_until = ${until}
          where run_until is not null and key in (${among(storage.engine, keys)})`.execute(tx),
      { isolation: 'read committed' },
    )
  }

  async #read(): Promise<void> {
    const asks = this.#asks
    this.#asks = []
    const { storage, clock } = this.#parts
    try {
      const keys = [...new Set(asks.map(({ key }) => key))]
      const found = await selectSessions(storage, clock.now(), sql`where key in (${among(storage.engine, keys)})`)
      const rows = new Map(found.map(row => [row.key, row]))
      for (const { key, answer } of asks) {
        const row = rows.get(key)
        answer.resolve(row && this.#opened(row))
      }
    } catch (error) {
      for (const { answer } of asks) answer.reject(error)
    }
  }

  async #write(): Promise<void> {
    let batch: Wish[] | undefined
    const taken = (): Wish[] => {
      if (batch === undefined) {
        batch = this.#wishes
        this.#wishes = []
      }
      return batch
    }
    const work = (tx: WriteTransaction) =>
      this.#upsert(
        tx,
        taken().map(({ change }) => change),
      )
    try {
      const written = await this.#parts.storage.write(work, { isolation: 'read committed' })
      for (const { change, saved } of taken()) saved.resolve(written.has(change.key))
    } catch (error) {
      for (const { saved } of taken()) saved.reject(error)
    }
  }

  async #saveAlone(change: SessionChange, write: (tx: WriteTransaction) => Promise<void>): Promise<boolean> {
    try {
      await this.#parts.storage.write(async tx => {
        const written = await this.#upsert(tx, [change])
        if (!written.has(change.key)) throw new Outdated()
        await write(tx)
      })
      return true
    } catch (error) {
      if (error instanceof Outdated) return false
      throw error
    }
  }

  #upsert(tx: WriteTransaction, changes: readonly SessionChange[]): Promise<ReadonlySet<string>> {
    const { storage, clock, ttlMs } = this.#parts
    return upsertSessions(tx, storage.engine, changes, { now: clock.now(), ttlMs })
  }

  #sealed(session: Session): Omit<SessionChange, 'touched' | 'running'> {
    const { key, sessionId, provider, serviceCode, phone, caller, status, version, record } = session
    const state = this.#parts.vault.seal(JSON.stringify(record), statePlace(key))
    return { key, session_id: sessionId, provider, service_code: serviceCode, phone, caller, state, status, version }
  }

  #opened(row: SessionRow): KnownSession {
    const { key, provider, phone, caller, status, version, now } = row
    return {
      key,
      sessionId: row.session_id,
      provider,
      serviceCode: row.service_code,
      phone,
      caller,
      status,
      version,
      record: JSON.parse(this.#parts.vault.open(row.state, statePlace(key))) as SessionRecord,
      live: row.updated_at <= now + aheadMs && row.expires_at > now,
      runs: row.run_until !== null && row.run_until > now,
      idleMs: now - row.updated_at,
    }
  }
}

/** Where a session's phone number is kept. */
export const phonePlace = (key: string): string => `ussd_sessions.phone:${key}`

const statePlace = (key: string): string => `ussd_sessions.state:${key}`
