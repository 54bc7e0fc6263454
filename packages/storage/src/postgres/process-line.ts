import { randomUUID } from 'node:crypto'
import type { Client, QueryResult } from 'pg'
import type { Processes } from '../contract/processes.ts'
import { storageErrors } from '../errors/storage-errors.ts'
import { isReadOnlyServer, readOnlyServer } from './postgres-errors.ts'
import { breakOff } from './postgres-pool.ts'

/** The first key of the advisory lock that shows that a process is there: 'sibl' in ASCII. The second is the process. */
const PRESENCE_LOCK = 0x7369626c
/** The lock that all processes of a schema share, unless one has its tables alone. */
const USE_LOCK = PRESENCE_LOCK + 1
const CHANNEL = 'sibyl_calls'
const PULSE_MS = 1_000
/** A pulse is given up after this many looks without an answer; counted, so that a busy event loop costs one look only. */
const LOOKS_PER_PULSE = 6
const LOOK_MS = 500
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000
/** The longest call, in characters. */
const LONGEST_CALL = 1_000
/** The most calls that wait for a line that is down. */
const MOST_WAITING = 1_000

export interface ProcessLineOptions {
  /** Makes a client of pg that is not connected yet. */
  readonly client: () => Client
  /** The statement that sets the session's settings. */
  readonly settingsQuery: string
  /** The schema of the oracle, if it shares the database with oracles in other ones. */
  readonly schema: string | undefined
  /** Whether no other process may have a line. */
  readonly alone: boolean
  /** Called with the reason when the server accepts connections and is of no use, and without one when it is again. */
  readonly onStandstill: (problem: string | undefined) => void
  /** Called when the connection is lost, and when it is restored. */
  readonly onBreak: (error: unknown) => void
  readonly onBack: () => void
}

/** The second key of a process's lock: the first 32 bits of its UUID. */
const keyOf = (processId: string): number => Number.parseInt(processId.slice(0, 8), 16) | 0

/**
 * The dedicated connection of this process: it holds a lock that shows others that the process runs, and that
 * PostgreSQL releases when it exits; it carries notifications between processes, and monitors the server.
 */
export class ProcessLine implements Processes {
  readonly ownId = randomUUID()
  readonly #options: ProcessLineOptions
  readonly #channel: string
  readonly #listeners = new Set<(text: string) => void>()
  readonly #returnListeners: (() => void)[] = []
  /** The calls that were not sent. */
  readonly #waiting = new Set<string>()
  #client: Client | undefined
  /** Settles when the last query is answered: pg takes the next one then. */
  #last: Promise<unknown> = Promise.resolve()
  #connectedAt = 0
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  #closed = false

  constructor(options: ProcessLineOptions) {
    this.#options = options
    this.#channel = options.schema === undefined ? CHANNEL : `${CHANNEL}_${options.schema}`
  }

  get steadyForMs(): number {
    return this.#client === undefined ? 0 : performance.now() - this.#connectedAt
  }

  /** Connects for the first time; later a lost connection is restored automatically. Throws the errors of pg. */
  async open(): Promise<void> {
    await this.#connect()
  }

  async connected(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set()
    const client = this.#client
    if (client === undefined) throw new Error('The connection to the other processes is interrupted.')
    const { rows } = await answered(
      this.#query<{ key: number }>(
        client,
        `select distinct objid::bigint as key from pg_locks where locktype = 'advisory' and granted
         and classid = ${PRESENCE_LOCK} and database = (select oid from pg_database where datname = current_database())`,
      ),
    )
    const keys = new Set(rows.map(({ key }) => Number(key) | 0))
    return new Set(ids.filter(id => keys.has(keyOf(id))))
  }

  /** Reads the database that the line leads to, the processes that have it open, and the connections that it accepts. */
  async survey(): Promise<Survey> {
    const client = this.#client
    if (client === undefined) throw new Error('The connection to the other processes is interrupted.')
    const { rows } = await answered(this.#query<Survey>(client, surveyQuery))
    return rows[0]!
  }

  call(text: string): void {
    if (text.length > LONGEST_CALL) return
    const client = this.#client
    const sent = client && this.#query(client, 'select pg_notify($1, $2)', [this.#channel, `${this.ownId} ${text}`])
    if (sent) sent.catch(() => this.#keep(text))
    else this.#keep(text)
  }

  onCall(listener: (text: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  onReturn(listener: () => void): void {
    this.#returnListeners.push(listener)
  }

  /** Whether the server answers and takes writes; undefined while the line is down. Never rejects. */
  async ping(): Promise<boolean | undefined> {
    if (this.#client === undefined) return undefined
    return this.#query<{ takesWrites: boolean }>(this.#client, takesWritesQuery).then(
      ({ rows }) => rows[0]?.takesWrites === true,
      () => false,
    )
  }

  /** Ends the line; the lock goes with it. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    const client = this.#client
    this.#client = undefined
    if (client !== undefined) await answered(client.end()).catch(() => breakOff(client))
  }

  async #connect(): Promise<void> {
    const client = this.#options.client()
    client.on('error', error => this.#broke(client, error))
    client.on('end', () => this.#broke(client, new Error('the connection ended')))
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''))
    try {
      await answered(client.connect())
      await answered(client.query(this.#options.settingsQuery))
      await this.#lockUse(client)
      await answered(client.query(`select pg_advisory_lock_shared(${PRESENCE_LOCK}, ${keyOf(this.ownId)})`))
      await answered(client.query(`listen ${this.#channel}`))
    } catch (error) {
      breakOff(client)
      throw error
    }
    if (this.#closed) return breakOff(client)
    this.#client = client
    this.#last = Promise.resolve()
    this.#connectedAt = performance.now()
    this.#failures = 0
    this.#options.onStandstill(undefined)
    this.#later(PULSE_MS, () => this.#pulse(client))
  }

  async #lockUse(client: Client): Promise<void> {
    const { alone, schema } = this.#options
    const text = `select pg_try_advisory_lock${alone ? '' : '_shared'}(${USE_LOCK}, coalesce(hashtext($1), 0)) as locked`
    const { rows } = await answered(client.query<{ locked: boolean }>(text, [schema]))
    if (rows[0]?.locked) return
    if (!alone) throw storageErrors.move_unfinished()
    throw storageErrors.move_refused({
      problem: 'Another process has the PostgreSQL database open.',
      remedy: 'Stop all processes of the oracle, and move again.',
    })
  }

  #query<Row extends object>(client: Client, text: string, values: readonly unknown[] = []): Promise<QueryResult<Row>> {
    const asked = this.#last.then(() => client.query<Row>(text, [...values]))
    this.#last = asked.catch(() => {})
    return asked
  }

  async #pulse(client: Client): Promise<void> {
    try {
      const { rows } = await answered(
        this.#query<{ isStandby: boolean }>(client, 'select pg_is_in_recovery() as "isStandby"'),
      )
      if (rows[0]?.isStandby) throw new BecameStandby()
      if (this.#client === client) this.#later(PULSE_MS, () => this.#pulse(client))
    } catch (error) {
      this.#broke(client, error)
      breakOff(client)
    }
  }

  #broke(client: Client, error: unknown): void {
    if (this.#client !== client || this.#closed) return
    this.#client = undefined
    const problem = standstillOf(error)
    if (problem !== undefined) this.#options.onStandstill(problem)
    this.#options.onBreak(error)
    this.#later(FIRST_PAUSE_MS, () => this.#reconnect())
  }

  async #reconnect(): Promise<void> {
    try {
      await this.#connect()
      this.#options.onBack()
      const waiting = [...this.#waiting]
      this.#waiting.clear()
      for (const text of waiting) this.call(text)
      for (const listener of this.#returnListeners) listener()
    } catch (error) {
      if (this.#closed) return
      this.#options.onStandstill(standstillOf(error))
      this.#later(Math.min(FIRST_PAUSE_MS * 2 ** ++this.#failures, LONGEST_PAUSE_MS), () => this.#reconnect())
    }
  }

  #keep(text: string): void {
    if (this.#waiting.size < MOST_WAITING && !this.#closed) this.#waiting.add(text)
  }

  #later(delayMs: number, run: () => Promise<void>): void {
    clearTimeout(this.#timer)
    if (!this.#closed) this.#timer = setTimeout(run, delayMs).unref()
  }

  #hear(payload: string): void {
    const sender = payload.slice(0, this.ownId.length)
    if (sender === this.ownId) return
    for (const listener of [...this.#listeners]) listener(payload.slice(this.ownId.length + 1))
  }
}

/** The identity of a database, also of one that is reached through a pooler. */
export const databaseMark = `select concat_ws('/', (select system_identifier from pg_control_system()), oid) as database
  from pg_database where datname = current_database()`

export interface Survey {
  readonly database: string
  /** The processes with a line, this one included. */
  readonly processes: number
  /** The connections that the server, the database and the user allow altogether. */
  readonly connections: number
}

const surveyQuery = `select mark.database,
    (select count(distinct objid) from pg_locks where locktype = 'advisory' and granted
      and classid = ${PRESENCE_LOCK} and database = d.oid)::int as processes,
    least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
      nullif(datconnlimit, -1)
    ) as connections
  from (${databaseMark}) mark, pg_database d where datname = current_database()`

/** Whether the server takes writes: no standby, and not read-only by its settings. */
export const takesWritesQuery = `select reset_val = 'off' and not pg_is_in_recovery() as "takesWrites" from pg_settings
  where name = 'default_transaction_read_only'`

/** The server has turned into a standby: after a fail-over another one takes the writes. */
class BecameStandby extends Error {
  override readonly message = 'the server has become a standby'
}

const standstillOf = (error: unknown): string | undefined => {
  if (storageErrors.move_unfinished.is(error)) return 'is being moved'
  if (error instanceof NoAnswer) return 'accepts connections but does not respond'
  return error instanceof BecameStandby || isReadOnlyServer(error) ? readOnlyServer : undefined
}

/** The server took too long to answer. */
class NoAnswer extends Error {
  override readonly message = 'the server did not respond in time'
}

/** Waits for an answer of the server, but not for ever. */
const answered = async <T>(work: Promise<T>): Promise<T> => {
  const silence = Promise.withResolvers<never>()
  let attempts = 0
  const timer = setInterval(() => {
    if (++attempts >= LOOKS_PER_PULSE) silence.reject(new NoAnswer())
  }, LOOK_MS)
  try {
    return await Promise.race([work, silence.promise])
  } finally {
    clearInterval(timer)
    work.catch(() => {})
  }
}
