import type { Kysely, Transaction } from 'kysely'
import type { Storage, StorageOptions, WriteOptions } from './contract/storage.ts'
import type { StorageEngine } from './contract/storage-engine.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { storageErrors } from './errors/storage-errors.ts'
import { silentLogger } from './logging/logger.ts'
import { isMigrated, migrate } from './migrations/migrate.ts'
import type { Migrations } from './migrations/migrations.ts'
import { systemClock } from './time/clock.ts'

const WRITE_TIME_LIMIT_MS = 10_000
const POOL_SIZE = 5
const MIGRATION_TIME_LIMIT_MS = 600_000
const START_TIME_LIMIT_MS = 30_000

/**
 * Opens the database that a URL names: a SQLite file for this process, or PostgreSQL for any number of them.
 *
 * @throws `database_url_invalid`, `database_folder_unusable`, `database_path_is_folder`, `database_read_only`,
 * `database_in_use`, `database_locked`, `database_corrupt`, `disk_full`, `driver_missing`, `database_unreachable`,
 * `database_rights_missing`, `pooling_unsupported`
 * @example
 * const storage = await openStorage<NotesTables>({ url: 'file:./.data/sibyl.db' })
 * await storage.migrate('notes', migrations)
 * await storage.write(tx => tx.insertInto('notes_note').values({ id: '1', text: 'hello' }).execute())
 * const notes = await storage.read.selectFrom('notes_note').selectAll().execute()
 * await storage.close()
 */
export const openStorage = async <Tables = object>(options: StorageOptions): Promise<Storage<Tables>> => {
  const engine = await openEngine(options)
  return new OpenStorage<Tables>(engine, options)
}

const openEngine = async (options: StorageOptions): Promise<StorageEngine> => {
  const location = parseDatabaseUrl(options.url)
  const direct = options.directUrl === undefined ? undefined : parseDatabaseUrl(options.directUrl)
  if (direct && (direct.engine === 'sqlite' || location.engine === 'sqlite')) {
    throw storageErrors.database_url_invalid({ problem: 'and DATABASE_DIRECT_URL must both name PostgreSQL' })
  }
  if (location.engine === 'sqlite') {
    const { openSqlite } = await import('./sqlite/open-sqlite.ts')
    return openSqlite(location.path)
  }
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  const logger = options.logger ?? silentLogger
  return await openPostgres({
    url: location.url,
    directUrl: direct?.url,
    alone: options.alone ?? false,
    poolSize: options.poolSize ?? POOL_SIZE,
    writeTimeLimitMs: options.writeTimeLimitMs ?? WRITE_TIME_LIMIT_MS,
    startTimeLimitMs: options.startTimeLimitMs ?? START_TIME_LIMIT_MS,
    logger,
    onError: error => {
      logger.warn('a database connection was lost', { error: error.message })
      options.onError?.(error)
    },
  })
}

class OpenStorage<Tables> implements Storage<Tables> {
  readonly #engine: StorageEngine
  readonly #options: StorageOptions
  readonly read: Kysely<Tables>
  #closing: Promise<void> | undefined

  constructor(engine: StorageEngine, options: StorageOptions) {
    this.#engine = engine
    this.#options = options
    this.read = engine.read as unknown as Kysely<Tables>
  }

  get engine() {
    return this.#engine.engine
  }

  get processes() {
    return this.#engine.processes
  }

  get copyMark() {
    return this.#engine.copyMark
  }

  get failed() {
    return this.#engine.failed
  }

  get recovered() {
    return this.#engine.recovered
  }

  get isChecking() {
    return this.#engine.isChecking
  }

  async write<T>(work: (tx: Transaction<Tables>) => Promise<T>, options: WriteOptions<T> = {}): Promise<T> {
    this.#assertOpen()
    const limit = this.#options.writeTimeLimitMs ?? WRITE_TIME_LIMIT_MS
    return await this.#engine.write(work as unknown as (tx: Transaction<object>) => Promise<T>, limit, options)
  }

  for<OwnTables>(): Storage<OwnTables> {
    return this as unknown as Storage<OwnTables>
  }

  async migrate(owner: string, migrations: Migrations): Promise<readonly string[]> {
    this.#assertOpen()
    const { engine, read } = this.#engine
    if (await isMigrated(read, owner, migrations)) return []
    const now = (this.#options.clock ?? systemClock).now()
    const work = (tx: Transaction<object>) => migrate(tx, { owner, migrations, engine, now })
    const applied = await this.#engine.migrateAlone(work, MIGRATION_TIME_LIMIT_MS)
    if (applied.length > 0)
      (this.#options.logger ?? silentLogger).debug('migrations applied', { owner, names: applied })
    return applied
  }

  ping(): Promise<boolean> {
    return this.#closing === undefined ? this.#engine.ping() : Promise.resolve(false)
  }

  close(): Promise<void> {
    this.#closing ??= this.#engine.close()
    return this.#closing
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw storageErrors.storage_closed()
  }
}
