import { sql, TickBatch } from '@sibyl/plugin/storage'
import type { UssdStorage, WriteTransaction } from '../storage/ussd-tables.ts'
import { among } from '../storage/value-lists.ts'
import type { ActionJobs, FollowedJobs } from './action-jobs.ts'
import type { KnownSession, Session } from './session-record.ts'
import { type SessionSeals, timesOf } from './session-seals.ts'
import { type SessionChange, type SessionRow, selectSessions } from './session-sql.ts'
import type { SessionTime } from './session-time.ts'
import { writeSessions } from './write-sessions.ts'

export interface SaveOptions {
  /** Whether the caller sent input. @default true */
  readonly touched?: boolean
  /** Runs in the same transaction. */
  readonly write?: ((tx: WriteTransaction) => Promise<void>) | undefined
}

interface PendingWrite {
  readonly session: Session
  readonly change: SessionChange
  readonly saved: PromiseWithResolvers<boolean>
}

interface Written {
  readonly keys: ReadonlySet<string>
  readonly now: number
  /** `SessionTime.moves` when it was written. */
  readonly moves: number
}

/** Rolls back a write whose session another process moved. */
class OutdatedError extends Error {}

/** Number of concurrent writes on PostgreSQL; later saves share the next one. */
const writesAtOnce = 2

/**
 * Stores sessions. Reads of one turn of the event loop share a statement, and writes share a commit. On SQLite, which
 * only this process uses, recently moved sessions are cached.
 */
export class SessionStore {
  readonly #storage: UssdStorage
  readonly #seals: SessionSeals
  readonly #time: SessionTime
  readonly #ttlMs: number
  readonly #jobs: ActionJobs
  readonly #copies: SessionCopies | undefined
  readonly #max: number
  readonly #rows = new TickBatch<string, SessionRow>(keys => this.#read(keys))
  #pending: PendingWrite[] = []
  #writing = 0

  constructor(storage: UssdStorage, seals: SessionSeals, time: SessionTime, ttlMs: number, jobs: ActionJobs) {
    this.#storage = storage
    this.#seals = seals
    this.#time = time
    this.#ttlMs = ttlMs
    this.#jobs = jobs
    const shared = storage.engine === 'postgres'
    this.#copies = shared ? undefined : new SessionCopies()
    this.#max = shared ? writesAtOnce : Number.POSITIVE_INFINITY
  }

  /** Returns the session under this key, also an ended one. */
  find(key: string): Promise<KnownSession | undefined> {
    const copy = this.#copies?.get(key, this.#time.now())
    if (copy !== undefined) return Promise.resolve(copy)
    return this.#rows.ask(key).then(row => row && this.#seals.session(row))
  }

  findFirst(keys: readonly [string, ...string[]]): Promise<KnownSession | undefined> {
    if (keys.length === 1) return this.find(keys[0])
    return Promise.all(keys.map(key => this.find(key))).then(found => found.find(session => session !== undefined))
  }

  /**
   * Saves a session unless another process has saved this version; resolves once it is on disk, with whether it was
   * saved.
   */
  save(session: Session, { touched = true, write }: SaveOptions = {}): Promise<boolean> {
    const change = { ...this.#seals.row(session), touched }
    const pending = { session, change, saved: Promise.withResolvers<boolean>() }
    if (write === undefined) {
      this.#pending.push(pending)
      if (this.#pending.length === 1 && this.#writing < this.#max) void this.#write()
    } else void this.#writeAlone(pending, write)
    return pending.saved.promise
  }

  /** Ends a session that another one resumes, in the transaction of that move. */
  async endIn(tx: WriteTransaction, { key, version }: KnownSession): Promise<void> {
    this.#copies?.delete(key)
    const { rows } = await sql`
      update ussd_sessions set status = 'ended', version = version + 1 where key = ${key} and version = ${version}
      returning key`.execute(tx)
    if (rows.length === 0) throw new OutdatedError()
  }

  /** Removes cached sessions: the expired ones, or all. */
  forgetCopies(which: 'expired' | 'all'): void {
    if (which === 'all') this.#copies?.clear()
    else this.#copies?.forgetExpired(this.#time.now())
  }

  async #read(keys: readonly string[]): Promise<ReadonlyMap<string, SessionRow>> {
    const which = sql`where key in ${among(this.#storage.engine, keys)}`
    const rows = await selectSessions(this.#storage, this.#time.now(), which)
    return new Map(rows.map(row => [row.key, row]))
  }

  async #write(): Promise<void> {
    this.#writing += 1
    let batch: PendingWrite[] | undefined
    const taken = (): PendingWrite[] => {
      if (batch === undefined) {
        batch = this.#pending
        this.#pending = []
      }
      return batch
    }
    await this.#commit(taken)
    this.#writing -= 1
    if (this.#pending.length > 0 && this.#writing < this.#max) void this.#write()
  }

  #writeAlone(pending: PendingWrite, write: (tx: WriteTransaction) => Promise<void>): Promise<void> {
    return this.#commit(() => [pending], write)
  }

  /** Writes the result of `taken` at the start of the transaction, and settles the pending writes. */
  async #commit(taken: () => readonly PendingWrite[], more?: (tx: WriteTransaction) => Promise<void>): Promise<void> {
    let jobs: FollowedJobs | undefined
    const work = async (tx: WriteTransaction): Promise<Written> => {
      const now = this.#time.now()
      const changes = taken().map(({ change }) => change)
      const { moves } = this.#time
      const keys = await writeSessions(tx, this.#storage.engine, changes, { now, ttlMs: this.#ttlMs })
      const won = taken().flatMap(({ session }) => (keys.has(session.key) ? [session] : []))
      if (more !== undefined) {
        if (won.length === 0) throw new OutdatedError()
        await more(tx)
      }
      jobs = await this.#jobs.follow(tx, won)
      return { keys, now, moves }
    }
    try {
      const written = await this.#storage.write(work, { isolation: 'read committed' })
      jobs?.committed()
      for (const pending of taken()) this.#settle(pending, written)
    } catch (error) {
      jobs?.failed()
      for (const { session, saved } of taken()) {
        this.#copies?.delete(session.key)
        if (error instanceof OutdatedError) saved.resolve(false)
        else saved.reject(error)
      }
    }
  }

  #settle({ session, change, saved }: PendingWrite, { keys, now, moves }: Written): void {
    const won = keys.has(session.key)
    if (won && change.touched && session.status === 'active' && moves === this.#time.moves) {
      this.#copies?.set(session, now, now + this.#ttlMs)
    } else this.#copies?.delete(session.key)
    saved.resolve(won)
  }
}

/** Maximum number of cached sessions, at about 2 KB each. */
const maxCopies = 2_000

interface Copy {
  readonly session: Session
  readonly updatedAt: number
  readonly expiresAt: number
}

/** Cache of the sessions that this process moved last, for a database that no other process uses. */
class SessionCopies {
  readonly #copies = new Map<string, Copy>()

  /** Returns the session under this key, if it is cached. */
  get(key: string, now: number): KnownSession | undefined {
    const copy = this.#copies.get(key)
    if (copy === undefined) return undefined
    this.#copies.delete(key)
    this.#copies.set(key, copy)
    return { ...copy.session, ...timesOf(copy, now) }
  }

  /** Caches a written session; the least recently used one is removed. */
  set(session: Session, updatedAt: number, expiresAt: number): void {
    this.#copies.delete(session.key)
    this.#copies.set(session.key, { session, updatedAt, expiresAt })
    if (this.#copies.size <= maxCopies) return
    const oldest = this.#copies.keys().next()
    if (!oldest.done) this.#copies.delete(oldest.value)
  }

  /** Removes a session that may have changed on disk. */
  delete(key: string): void {
    this.#copies.delete(key)
  }

  /** Removes sessions that have expired. */
  forgetExpired(now: number): void {
    for (const [key, { expiresAt }] of this.#copies) if (expiresAt <= now) this.#copies.delete(key)
  }

  clear(): void {
    this.#copies.clear()
  }
}
