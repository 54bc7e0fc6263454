import type { PoolConfig, QueryConfig } from 'pg'
import type { StorageOptions } from '../contract/storage.ts'
import type { StorageEngine } from '../contract/storage-engine.ts'
import type { StorageError } from '../errors/storage-error.ts'
import { storageErrors } from '../errors/storage-errors.ts'
import { loadPg } from './load-driver.ts'
import { CONNECT_TIME_LIMIT_MS, clientConfig, postgresAddress } from './postgres-address.ts'
import { rowTypes } from './postgres-connection.ts'
import { PostgresEngine, READ_TIME_LIMIT_MS } from './postgres-engine.ts'
import { codeOf } from './postgres-errors.ts'
import { PostgresPool } from './postgres-pool.ts'
import { ProcessLine } from './process-line.ts'
import { assertSessionPooling } from './session-pooling.ts'
import { type SessionSettings, settingsQuery } from './session-settings.ts'
import { queryWithSettings } from './transaction-query.ts'

/** Time that the server gets beyond our own limits, so that ours, with the better error, apply first. */
const SERVER_GRACE_MS = 1_000
/** Keep-alive settings by which the server closes a connection whose computer is gone. */
const keepAlive: SessionSettings = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
}

/**
 * Compiling a query takes longer than running one that finds its rows by an index, and PostgreSQL's estimates of recursive
 * ones ask for it. The URL's own options may switch it on.
 */
export const noCompiling: SessionSettings = { jit: 'off' }

export interface PostgresOptions extends Required<Omit<StorageOptions, 'url' | 'directUrl' | 'clock'>> {
  readonly url: URL
  readonly directUrl: URL | undefined
}

/**
 * Connects to PostgreSQL: one pool whose sessions only read, one for writes, and the line of this process.
 *
 * @throws `driver_missing`, `database_unreachable`,
 * `database_rights_missing`, `pooling_unsupported`
 */
export const openPostgres = async (options: PostgresOptions): Promise<StorageEngine> => {
  const pg = await loadPg()
  const address = postgresAddress(options.url)
  const { server, settings } = address
  const common = { ...clientConfig(address), keepAlive: true, types: rowTypes(pg.types) }
  const direct = options.directUrl && postgresAddress(options.directUrl)
  const limits = (timeLimitMs: number): SessionSettings => ({
    ...noCompiling,
    ...settings,
    statement_timeout: `${timeLimitMs + SERVER_GRACE_MS}`,
    idle_in_transaction_session_timeout: `${timeLimitMs + SERVER_GRACE_MS}`,
  })
  const set = (values: SessionSettings, until?: 'transaction'): string => settingsQuery(values, pg.escapeLiteral, until)
  const reading = limits(READ_TIME_LIMIT_MS)
  const writing = limits(options.writeTimeLimitMs)
  const open = (text: string, pipeline: boolean): PostgresPool => {
    const firstQuery: QueryConfig & { query_timeout: number } = { text, query_timeout: CONNECT_TIME_LIMIT_MS }
    const config: PoolConfig = {
      ...common,
      max: options.poolSize,
      pipeline,
      ...(!direct && { onConnect: client => client.query(firstQuery) }),
    }
    const pool = new pg.Pool(config)
    pool.on('error', error => options.onError(error))
    // While a client is in use, pg also reports a lost connection as an event; the query that meets it gets the error.
    pool.on('connect', client => client.on('error', () => {}))
    return new PostgresPool(pool, server)
  }
  const readers = open(set({ ...reading, default_transaction_read_only: 'on' }), false)
  const writers = open(set(writing), true)
  const { logger } = options
  const line = new ProcessLine({
    client: () => new pg.Client({ ...common, ...(direct && clientConfig(direct)), application_name: 'sibyl line' }),
    settingsQuery: set({ ...(direct ?? address).settings, ...keepAlive, statement_timeout: '0' }),
    schema: address.schema,
    alone: options.alone,
    onStandstill: problem => {
      for (const pool of [readers, writers]) pool.problem = problem
    },
    onBreak: error => {
      options.onError(error instanceof Error ? error : new Error('the connection between the processes was lost'))
    },
    onBack: () => logger.info('the database responds again', { server }),
  })
  const pooled = direct && {
    read: queryWithSettings(pg, set({ ...reading, transaction_read_only: 'on' }, 'transaction')),
    writeSettings: set(writing, 'transaction'),
  }
  const engine = new PostgresEngine({ readers, writers, line, server, schema: address.schema, pooled })
  try {
    const connect = async () => {
      await assertSessionPooling(pg, direct ?? address)
      return await engine.connect()
    }
    const { processes, connections } = await whenStarted(connect, server, options)
    const each = 1 + (direct ? 0 : 2 * options.poolSize)
    if (processes * each > connections) {
      logger.warn('the processes may need more connections than PostgreSQL accepts', {
        server,
        processes,
        connections_of_each: each,
        accepted: connections,
        fix: 'Lower DATABASE_POOL_SIZE, raise max_connections, or set DATABASE_URL to a pooler of transactions and DATABASE_DIRECT_URL to PostgreSQL.',
      })
    }
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** SQLSTATE codes of temporary errors: the server is starting, or has no free connection. */
const passing = new Set(['57P03', '53300'])

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 2_000

/** Connects, and again while the server is about to take connections. */
const whenStarted = async <Result>(
  connect: () => Promise<Result>,
  server: string,
  { startTimeLimitMs, logger }: PostgresOptions,
): Promise<Result> => {
  const until = performance.now() + startTimeLimitMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await connect()
    } catch (error) {
      const cause = storageErrors.database_unreachable.is(error) ? error.cause : undefined
      if (!(error instanceof Error) || !passing.has(codeOf(cause) ?? '')) throw error
      if (performance.now() + pauseMs > until) throw error
      if (pauseMs === FIRST_PAUSE_MS) {
        logger.warn('PostgreSQL does not accept connections yet; waiting', {
          server,
          problem: (error as StorageError).facts.problem,
          seconds: startTimeLimitMs / 1_000,
        })
      }
      await new Promise(resume => setTimeout(resume, pauseMs))
    }
  }
}
