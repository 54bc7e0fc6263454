import type { Kysely, Transaction } from 'kysely'
import type { Pool, PoolClient, PoolConfig } from 'pg'
import { DatabaseHandles } from '../database-handles.ts'
import { DatabaseUnreachableError } from '../errors/open-errors.ts'
import { StorageClosedError } from '../errors/write-errors.ts'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from '../kysely.ts'
import { NestedUseGuard } from '../nested-use-guard.ts'
import type { StorageEngine } from '../storage-engine.ts'
import { loadPg } from './load-driver.ts'
import { PostgresConnection, rowTypes } from './postgres-connection.ts'
import { storageErrorOf } from './postgres-errors.ts'
import { PostgresWrites } from './postgres-writes.ts'

const CONNECT_TIME_LIMIT_MS = 10_000
const READ_TIME_LIMIT_MS = 10_000
const PING_TIME_LIMIT_MS = 1_500
/** What the server gets beyond our own limits, so that ours, with the better error, come first. */
const SERVER_GRACE_MS = 1_000
/** The advisory lock that keeps two processes from changing the schema at once: 'sibyl' in ASCII. */
const SCHEMA_LOCK = 0x736962796c

/** What `openPostgres` takes. */
export interface PostgresOptions {
  readonly url: URL
  readonly poolSize: number
  readonly writeTimeLimitMs: number
  /** Hears of errors that no caller waits for. */
  readonly onError: (error: Error) => void
}

/**
 * Connects to PostgreSQL: one pool whose sessions only read, one for writes.
 *
 * @throws DriverMissingError `driver_missing`, DatabaseUnreachableError `database_unreachable`
 */
export const openPostgres = async (options: PostgresOptions): Promise<StorageEngine> => {
  const pg = await loadPg()
  const server = `${options.url.hostname || 'its socket'}${options.url.port && `:${options.url.port}`}`
  const { connectionString, sessionOptions } = splitOptions(options.url)
  const open = (readOnly: boolean): Pool => {
    const timeLimitMs = readOnly ? READ_TIME_LIMIT_MS : options.writeTimeLimitMs
    const config: PoolConfig = {
      connectionString,
      application_name: 'sibyl',
      max: options.poolSize,
      connectionTimeoutMillis: CONNECT_TIME_LIMIT_MS,
      statement_timeout: timeLimitMs + SERVER_GRACE_MS,
      idle_in_transaction_session_timeout: timeLimitMs + SERVER_GRACE_MS,
      keepAlive: true,
      types: rowTypes(pg.types),
      options: `${sessionOptions} ${readOnly ? '-c default_transaction_read_only=on' : ''}`.trim(),
    }
    const pool = new pg.Pool(config)
    pool.on('error', error => options.onError(error))
    // While a client is in use, pg also reports a lost connection as an event; the query that meets it gets the error.
    pool.on('connect', client => client.on('error', () => {}))
    return pool
  }
  const engine = new PostgresEngine({ readers: open(true), writers: open(false), server })
  try {
    await engine.connect()
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** Takes session options out of the URL, where they would override ours. */
const splitOptions = (url: URL): { connectionString: string; sessionOptions: string } => {
  const bare = new URL(url)
  const sessionOptions = bare.searchParams.get('options') ?? ''
  bare.searchParams.delete('options')
  return { connectionString: bare.href, sessionOptions }
}

class PostgresEngine implements StorageEngine {
  readonly engine = 'postgres'
  readonly recovered = false
  readonly read: Kysely<object>
  readonly #readers: Pool
  readonly #writers: Pool
  readonly #server: string
  readonly #writes: PostgresWrites
  #closed = false

  constructor(options: { readonly readers: Pool; readonly writers: Pool; readonly server: string }) {
    this.#readers = options.readers
    this.#writers = options.writers
    this.#server = options.server
    const handles = new DatabaseHandles({
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: db => new PostgresIntrospector(db),
    })
    const guard = new NestedUseGuard()
    this.#writes = new PostgresWrites({ pool: options.writers, handles, guard, server: options.server })
    this.read = handles.reader<object>({
      provideConnection: async consumer => {
        guard.assertOutside('read')
        if (this.#closed) throw new StorageClosedError()
        return await this.#withReader(client => consumer(this.#connection(client)))
      },
    })
  }

  /** Opens a session of each kind, so that what is wrong shows at once. */
  async connect(): Promise<void> {
    await this.#withReader(client => client.query('select 1'))
    await this.#writes.write(async () => {}, CONNECT_TIME_LIMIT_MS, 'begin isolation level read committed')
  }

  write<T>(work: (tx: Transaction<object>) => Promise<T>, timeLimitMs: number): Promise<T> {
    return this.#writes.write(work, timeLimitMs, 'begin isolation level serializable')
  }

  migrateAlone<T>(work: (tx: Transaction<object>) => Promise<T>, timeLimitMs: number): Promise<T> {
    const alone = async (tx: Transaction<object>): Promise<T> => {
      await sql`set local statement_timeout = 0`.execute(tx)
      await sql`select pg_advisory_xact_lock(${SCHEMA_LOCK})`.execute(tx)
      return await work(tx)
    }
    return this.#writes.write(alone, timeLimitMs, 'begin isolation level read committed')
  }

  async ping(): Promise<boolean> {
    const late = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => late.resolve(false), PING_TIME_LIMIT_MS)
    const answered = this.#withReader(client => client.query('select 1')).then(
      () => true,
      () => false,
    )
    try {
      return await Promise.race([answered, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async close(): Promise<void> {
    await this.#writes.idle()
    this.#closed = true
    await Promise.all([this.#readers.end(), this.#writers.end()])
  }

  #connection(client: PoolClient): PostgresConnection {
    return new PostgresConnection(client, {
      timeLimitMs: READ_TIME_LIMIT_MS,
      translate: error => this.#translated(error),
    })
  }

  /** Runs a reading with a session; with a second one when the first turns out to be dead, as after a restart. */
  async #withReader<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      const client = await this.#readers.connect().catch(error => {
        throw this.#translated(error)
      })
      let broken = false
      try {
        return await use(client)
      } catch (cause) {
        const error = this.#translated(cause)
        broken = error instanceof DatabaseUnreachableError
        if (tries > 1 || !broken) throw error
      } finally {
        client.release(broken)
      }
    }
  }

  #translated(error: unknown): unknown {
    return storageErrorOf(error, this.#server)
  }
}
