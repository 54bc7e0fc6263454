import type { Kysely, Transaction } from 'kysely'
import type { PoolClient, PoolConfig } from 'pg'
import { DatabaseHandles } from '../database-handles.ts'
import { DatabaseUnreachableError } from '../errors/open-errors.ts'
import { StorageClosedError } from '../errors/write-errors.ts'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from '../kysely.ts'
import type { StorageLogger } from '../logger.ts'
import { NestedUseGuard } from '../nested-use-guard.ts'
import type { StorageEngine } from '../storage-engine.ts'
import { loadPg } from './load-driver.ts'
import { PostgresConnection, rowTypes } from './postgres-connection.ts'
import { codeOf, storageErrorOf } from './postgres-errors.ts'
import { PostgresPool } from './postgres-pool.ts'
import { PostgresWrites } from './postgres-writes.ts'
import { ProcessLine } from './process-line.ts'

/** How long a request may wait for a session, and a session for the server. */
const CONNECT_TIME_LIMIT_MS = 5_000
const READ_TIME_LIMIT_MS = 10_000
const PING_TIME_LIMIT_MS = 1_500
/** pg's name for a limit on one query, which its types leave out. */
const pingLimit = { query_timeout: PING_TIME_LIMIT_MS }
/** How long the fate of a transaction is asked for. */
const FATE_TIME_LIMIT_MS = 3_000
const FATE_PAUSE_MS = 50
/** What the server gets beyond our own limits, so that ours, with the better error, come first. */
const SERVER_GRACE_MS = 1_000
/** The advisory lock that keeps two processes from changing the schema at once: 'sibyl' in ASCII. */
const SCHEMA_LOCK = 0x736962796c
/** How soon the server gives up a connection whose computer is gone. */
const KEEP_ALIVE = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3'

/** What `openPostgres` takes. */
export interface PostgresOptions {
  readonly url: URL
  readonly poolSize: number
  readonly writeTimeLimitMs: number
  /** How long a server that is starting, or has no connection free, is waited for, in milliseconds. */
  readonly startTimeLimitMs: number
  readonly logger: StorageLogger
  /** Hears of errors that no caller waits for. */
  readonly onError: (error: Error) => void
}

/**
 * Connects to PostgreSQL: one pool whose sessions only read, one for writes, and the line of this process.
 *
 * @throws DriverMissingError `driver_missing`, DatabaseUnreachableError `database_unreachable`,
 * DatabaseRightsMissingError `database_rights_missing`
 */
export const openPostgres = async (options: PostgresOptions): Promise<StorageEngine> => {
  const pg = await loadPg()
  const server = `${options.url.hostname || 'its socket'}${options.url.port && `:${options.url.port}`}`
  const { connectionString, sessionOptions } = splitOptions(options.url)
  const common = { connectionString, application_name: 'sibyl', keepAlive: true, types: rowTypes(pg.types) }
  const open = (readOnly: boolean): PostgresPool => {
    const timeLimitMs = readOnly ? READ_TIME_LIMIT_MS : options.writeTimeLimitMs
    const config: PoolConfig = {
      ...common,
      max: options.poolSize,
      connectionTimeoutMillis: CONNECT_TIME_LIMIT_MS,
      statement_timeout: timeLimitMs + SERVER_GRACE_MS,
      idle_in_transaction_session_timeout: timeLimitMs + SERVER_GRACE_MS,
      options: `${sessionOptions} ${readOnly ? '-c default_transaction_read_only=on' : ''}`.trim(),
    }
    const pool = new pg.Pool(config)
    pool.on('error', error => options.onError(error))
    // While a client is in use, pg also reports a lost connection as an event; the query that meets it gets the error.
    pool.on('connect', client => client.on('error', () => {}))
    return new PostgresPool(pool, server)
  }
  const readers = open(true)
  const writers = open(false)
  const { logger } = options
  const line = new ProcessLine({
    client: () =>
      new pg.Client({
        ...common,
        application_name: 'sibyl line',
        connectionTimeoutMillis: CONNECT_TIME_LIMIT_MS,
        options: `${sessionOptions} ${KEEP_ALIVE}`.trim(),
      }),
    onStandstill: standsStill => {
      for (const pool of [readers, writers]) pool.standsStill = standsStill
    },
    onBreak: error => {
      options.onError(error instanceof Error ? error : new Error('the line to the database broke'))
    },
    onBack: () => logger.info('the database answers again', { server }),
  })
  const engine = new PostgresEngine({ readers, writers, line, server })
  try {
    await whenStarted(() => engine.connect(), server, options)
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** Codes of SQLSTATE for what passes by itself: the server starts up, or has no connection free. */
const passing = new Set(['57P03', '53300'])

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 2_000

/** Connects, and again while the server is about to take connections. */
const whenStarted = async (
  connect: () => Promise<void>,
  server: string,
  { startTimeLimitMs, logger }: PostgresOptions,
): Promise<void> => {
  const until = performance.now() + startTimeLimitMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await connect()
    } catch (error) {
      const cause = error instanceof DatabaseUnreachableError ? error.cause : undefined
      if (!(error instanceof Error) || !passing.has(codeOf(cause) ?? '')) throw error
      if (performance.now() + pauseMs > until) throw error
      if (pauseMs === FIRST_PAUSE_MS) {
        logger.warn('PostgreSQL takes no connection yet; waiting for it', {
          server,
          problem: (error as DatabaseUnreachableError).facts.problem,
          seconds: startTimeLimitMs / 1_000,
        })
      }
      await new Promise(resume => setTimeout(resume, pauseMs))
    }
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
  readonly processes: ProcessLine
  readonly #readers: PostgresPool
  readonly #writers: PostgresPool
  readonly #server: string
  readonly #writes: PostgresWrites
  #closed = false

  constructor(options: {
    readonly readers: PostgresPool
    readonly writers: PostgresPool
    readonly line: ProcessLine
    readonly server: string
  }) {
    this.#readers = options.readers
    this.#writers = options.writers
    this.processes = options.line
    this.#server = options.server
    const handles = new DatabaseHandles({
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: db => new PostgresIntrospector(db),
    })
    const guard = new NestedUseGuard()
    this.#writes = new PostgresWrites({
      pool: options.writers,
      handles,
      guard,
      server: options.server,
      fateOf: transactionId => this.#fateOf(transactionId),
    })
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
    await this.#writes.write(async () => {}, CONNECT_TIME_LIMIT_MS, 'read committed')
    await this.processes.open().catch(error => {
      throw this.#translated(error)
    })
  }

  async write<T>(
    work: (tx: Transaction<object>) => Promise<T>,
    timeLimitMs: number,
    committed?: (value: T) => void,
  ): Promise<T> {
    const value = await this.#writes.write(work, timeLimitMs, 'serializable')
    committed?.(value)
    return value
  }

  migrateAlone<T>(work: (tx: Transaction<object>) => Promise<T>, timeLimitMs: number): Promise<T> {
    const alone = async (tx: Transaction<object>): Promise<T> => {
      await sql`set local statement_timeout = 0`.execute(tx)
      await sql`select pg_advisory_xact_lock(${SCHEMA_LOCK})`.execute(tx)
      return await work(tx)
    }
    return this.#writes.write(alone, timeLimitMs, 'read committed')
  }

  async ping(): Promise<boolean> {
    const late = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => late.resolve(false), PING_TIME_LIMIT_MS)
    try {
      return await Promise.race([this.#answers(), late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async close(): Promise<void> {
    await this.#writes.idle()
    this.#closed = true
    await Promise.all([this.processes.close(), this.#readers.end(), this.#writers.end()])
  }

  /** Asks on the line, which nobody else waits for; while that is down, on a session of its own. */
  async #answers(): Promise<boolean> {
    const answer = await this.processes.ping()
    if (answer !== undefined) return answer
    return await this.#withReader(client => client.query({ text: 'select 1', ...pingLimit })).then(
      () => true,
      () => false,
    )
  }

  /** What became of a transaction whose commit was not answered; undefined when that does not show in time. */
  async #fateOf(transactionId: string): Promise<'committed' | 'aborted' | undefined> {
    const until = performance.now() + FATE_TIME_LIMIT_MS
    while (performance.now() < until) {
      try {
        const { rows } = await this.#withReader(client =>
          client.query<{ fate: string | null }>({
            text: 'select txid_status($1::bigint) as fate',
            values: [transactionId],
            ...pingLimit,
          }),
        )
        const fate = rows[0]?.fate
        if (fate === 'committed' || fate === 'aborted') return fate
        if (fate !== 'in progress') return undefined
      } catch (error) {
        if (!(error instanceof DatabaseUnreachableError)) throw error
      }
      await new Promise(resume => setTimeout(resume, FATE_PAUSE_MS))
    }
    return undefined
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
