import type { Kysely, Transaction } from 'kysely'
import type { PoolClient } from 'pg'
import type { CopyMark } from '../contract/copy-mark.ts'
import type { WriteOptions } from '../contract/storage.ts'
import type { StorageEngine } from '../contract/storage-engine.ts'
import { storageErrors } from '../errors/storage-errors.ts'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from '../sql/kysely.ts'
import { DatabaseHandles, type QueryLanguage } from '../transactions/database-handles.ts'
import { NestedUseGuard } from '../transactions/nested-use-guard.ts'
import { CONNECT_TIME_LIMIT_MS } from './postgres-address.ts'
import { PostgresConnection } from './postgres-connection.ts'
import { isStalePlan, storageErrorOf } from './postgres-errors.ts'
import type { PostgresPool } from './postgres-pool.ts'
import { PostgresWrites, SCHEMA_LOCK } from './postgres-writes.ts'
import { databaseMark, type ProcessLine, type Survey, takesWritesQuery } from './process-line.ts'
import type { RunQuery } from './transaction-query.ts'

/** Time limit of a read-only query. */
export const READ_TIME_LIMIT_MS = 10_000
const PING_TIME_LIMIT_MS = 1_500
/** pg's name for a limit on one query, which its types leave out. */
const pingLimit = { query_timeout: PING_TIME_LIMIT_MS }
/** Time limit for finding the outcome of a transaction. */
const FATE_TIME_LIMIT_MS = 3_000
const FATE_PAUSE_MS = 50

export const postgresLanguage: QueryLanguage = {
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: db => new PostgresIntrospector(db),
}

export interface PostgresEngineOptions {
  readonly readers: PostgresPool
  readonly writers: PostgresPool
  readonly line: ProcessLine
  /** Where the database is, for error texts. */
  readonly server: string
  /** The schema of the oracle, if it shares the database with oracles in other ones. */
  readonly schema: string | undefined
  /** The settings of transactions, if a pooler gives each of them another session. */
  readonly pooled: { readonly read: RunQuery; readonly writeSettings: string } | undefined
}

/** PostgreSQL as storage uses it: sessions that only read, sessions that write, and the line of this process. */
export class PostgresEngine implements StorageEngine {
  readonly engine = 'postgres'
  readonly failed = new Promise<never>(() => {})
  readonly recovered = false
  readonly isChecking = false
  readonly copyMark = new PostgresCopyMark()
  readonly read: Kysely<object>
  readonly processes: ProcessLine
  readonly #readers: PostgresPool
  readonly #writers: PostgresPool
  readonly #server: string
  readonly #schema: string | undefined
  readonly #pooled: PostgresEngineOptions['pooled']
  readonly #writes: PostgresWrites
  #closed = false

  constructor({ readers, writers, line, server, schema, pooled }: PostgresEngineOptions) {
    this.#readers = readers
    this.#writers = writers
    this.processes = line
    this.#server = server
    this.#schema = schema
    this.#pooled = pooled
    const handles = new DatabaseHandles('postgres', postgresLanguage)
    const guard = new NestedUseGuard()
    this.#writes = new PostgresWrites({
      pool: writers,
      handles,
      guard,
      server,
      fateOf: transactionId => this.#fateOf(transactionId),
      settings: pooled?.writeSettings,
    })
    this.read = handles.reader<object>({
      provideConnection: async consumer => {
        guard.assertOutside('read')
        if (this.#closed) throw storageErrors.storage_closed()
        return await this.#withReader(client => consumer(this.#connection(client)))
      },
    })
  }

  /**
   * Opens a session of each kind, so that what is wrong shows at once.
   *
   * @throws `database_url_invalid` if the line and the pools lead to different databases
   */
  async connect(): Promise<Survey> {
    const { rows } = await this.#withReader(client => client.query<Pick<Survey, 'database'>>(databaseMark))
    await this.#writes.open(CONNECT_TIME_LIMIT_MS, this.#schema)
    try {
      await this.processes.open()
      const survey = await this.processes.survey()
      if (survey.database === rows[0]?.database) return survey
    } catch (error) {
      throw this.#translated(error)
    }
    throw storageErrors.database_url_invalid({ problem: 'and DATABASE_DIRECT_URL name different databases' })
  }

  async write<T>(
    work: (tx: Transaction<object>) => Promise<T>,
    timeLimitMs: number,
    { committed, isolation = 'serializable' }: WriteOptions<T>,
  ): Promise<T> {
    const value = await this.#writes.write(work, timeLimitMs, isolation)
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

  /**
   * Pings on the process connection, which is not blocked by queries; while that is down, and through a pooler, on a
   * session of the readers.
   */
  async #answers(): Promise<boolean> {
    const answer = await this.processes.ping()
    if (answer === false || (answer && !this.#pooled)) return answer
    return await this.#withReader(client =>
      client.query<{ takesWrites: boolean }>({ text: takesWritesQuery, ...pingLimit }),
    ).then(
      ({ rows }) => rows[0]?.takesWrites === true,
      () => false,
    )
  }

  /** Returns the outcome of a transaction whose commit was not acknowledged; undefined if it is unknown in time. */
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
        if (!storageErrors.database_unreachable.is(error)) throw error
      }
      await new Promise(resume => setTimeout(resume, FATE_PAUSE_MS))
    }
    return undefined
  }

  #connection(client: PoolClient): PostgresConnection {
    return new PostgresConnection(client, {
      timeLimitMs: READ_TIME_LIMIT_MS,
      prepares: !this.#pooled,
      translate: error => this.#translated(error),
      run: this.#pooled?.read,
    })
  }

  /** Runs a read with a session; with another one if it is broken, as after a restart, or has prepared for an older schema. */
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
        const isStale = isStalePlan(error)
        broken = isStale || storageErrors.database_unreachable.is(error)
        if (!broken || (tries > 1 && !isStale)) throw error
      } finally {
        client.release(broken)
      }
    }
  }

  #translated(error: unknown): unknown {
    return storageErrorOf(error, this.#server)
  }
}

/**
 * The mark of a PostgreSQL database: its server and timeline, the database, and the version of a row that is never
 * updated. A dump that is loaded changes the row's version, a recovery from the archive or a failover the timeline.
 */
class PostgresCopyMark implements CopyMark {
  readonly isDue = false

  async matches(stored: string, read: Kysely<object>): Promise<boolean> {
    return stored === (await markOf(read))
  }

  next(_stored: string | undefined, tx: Kysely<object>): Promise<string> {
    return markOf(tx)
  }

  async record(): Promise<void> {}
}

const markOf = async (db: Kysely<object>): Promise<string> => {
  const { rows } = await sql<{ mark: string }>`
    select concat_ws(
      '/',
      (select system_identifier from pg_control_system()),
      substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8),
      (select oid from pg_database where datname = current_database()),
      tableoid,
      xmin
    ) as mark
    from sibyl_copy
    where name = 'anchor'
  `.execute(db)
  return rows[0]?.mark ?? 'none'
}
