import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type CopyMark, temporaryCopy } from '../contract/copy-mark.ts'
import { soloProcess } from '../contract/processes.ts'
import type { WriteOptions } from '../contract/storage.ts'
import type { StorageEngine } from '../contract/storage-engine.ts'
import type { StorageError } from '../errors/storage-error.ts'
import { storageErrors } from '../errors/storage-errors.ts'
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from '../sql/kysely.ts'
import { DatabaseHandles, type QueryLanguage } from '../transactions/database-handles.ts'
import { NestedUseGuard } from '../transactions/nested-use-guard.ts'
import { FileCheck } from './file-check.ts'
import { BUSY_TIMEOUT_MS, GroupCommit, OVERWRITE_FREED } from './group-commit.ts'
import { LogCheckpoints } from './log-checkpoints.ts'
import { LogSync } from './log-sync.ts'
import { prepareFile } from './prepare-file.ts'
import { ProcessLock } from './process-lock.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { SqliteCopyMark } from './sqlite-copy-mark.ts'
import { storageErrorOf } from './sqlite-errors.ts'

/** SQLite's `user_version` while a process has the database open. */
const IN_USE = 1
/** The same once it was found to be damaged: from then on the start waits for the check. */
const DAMAGED = 2
/** A larger file is checked after the start: reading it takes more than about a second. */
const MOST_CHECKED_BYTES = 64_000_000
const PING_TIME_LIMIT_MS = 1_500
/** With less free space than this a disk that has refused a write counts as full. */
const LEAST_FREE_BYTES = 1_000_000
const tryWriting = sql`pragma user_version = ${sql.lit(IN_USE)}`
const markDamaged = sql`pragma user_version = ${sql.lit(DAMAGED)}`

/**
 * Returns the pragmas of a connection that writes. NORMAL syncs everything that FULL does except the log after each
 * commit: `LogSync` does that, off the event loop and before the commit is acknowledged.
 */
const pragmas = (synchronous: 'normal' | 'off'): string => `
  pragma synchronous = ${synchronous};
  pragma foreign_keys = on;
  pragma case_sensitive_like = on;
  pragma wal_autocheckpoint = ${synchronous === 'off' ? 1000 : 0};
  pragma journal_size_limit = 67108864;
  ${OVERWRITE_FREED};
`

/**
 * Opens a SQLite database for this process alone.
 *
 * @param path absolute; undefined for a temporary database that is gone after `close()`
 * @throws the errors of `prepareFile`, `database_in_use`, `database_locked`,
 * `database_corrupt`
 */
export const openSqlite = (path: string | undefined): StorageEngine => {
  const databasePath = path ?? join(mkdtempSync(join(tmpdir(), 'sibyl-')), 'memory.db')
  const file = basename(databasePath)
  prepareFile(databasePath)
  // No other process finds a temporary database.
  const lock = path === undefined ? undefined : new ProcessLock(databasePath, file)
  const opened: DatabaseSync[] = []
  try {
    const writer = new DatabaseSync(databasePath, { timeout: BUSY_TIMEOUT_MS })
    opened.push(writer)
    const synchronous = path === undefined ? 'off' : 'normal'
    if (path === undefined) writer.exec('pragma synchronous = off')
    // Applies to a file without tables, and to another one at its next VACUUM.
    writer.exec('pragma auto_vacuum = incremental')
    writer.exec('pragma journal_mode = wal')
    writer.exec(pragmas(synchronous))
    const start = noteStart(writer, databasePath, file)
    const recovered = start !== 'new'
    if (recovered) rewriteLog(writer, file)
    const reader = new DatabaseSync(databasePath, { timeout: BUSY_TIMEOUT_MS, readOnly: true })
    opened.push(reader)
    reader.exec('pragma case_sensitive_like = on')
    const remove = () =>
      path === undefined ? rmSync(dirname(databasePath), { recursive: true, force: true }) : undefined
    const sync = path === undefined ? noSync : new LogSync(databasePath, file)
    const copyMark = path === undefined ? undefined : new SqliteCopyMark(databasePath)
    return new SqliteEngine({
      writer,
      reader,
      sync,
      checkpoints: new LogCheckpoints({ path: databasePath, synchronous }),
      copiesLog: synchronous === 'normal',
      copyMark,
      file,
      folder: dirname(databasePath),
      lock,
      recovered,
      check: start === 'unchecked' ? new FileCheck(databasePath) : undefined,
      remove,
    })
  } catch (error) {
    for (const database of opened) database.close()
    lock?.release()
    throw storageErrorOf(error, file)
  }
}

/** For a database that is gone with its process. */
const noSync: SyncedLog = {
  failure: undefined,
  failed: new Promise(() => {}),
  fail() {},
  flushed: async () => {},
  idle: async () => {},
  close() {},
}

/** Marks the database as open, and checks it if the mark was there already: the last process did not close it. */
const noteStart = (database: DatabaseSync, path: string, file: string): 'new' | 'checked' | 'unchecked' => {
  const mark = database.prepare('pragma user_version').get()?.user_version
  const recovered = mark === IN_USE || mark === DAMAGED
  if (mark === IN_USE && statSync(path).size > MOST_CHECKED_BYTES) return 'unchecked'
  const found = recovered ? database.prepare('pragma quick_check(1)').get()?.quick_check : 'ok'
  if (found !== 'ok') throw storageErrors.database_corrupt({ file, problem: 'is damaged' })
  if (mark !== IN_USE) database.exec(`pragma user_version = ${IN_USE}`)
  return recovered ? 'checked' : 'new'
}

/**
 * Copies the log into the database file, synced, after an unclean end: where that was a failed sync, the system may show
 * pages of the log that the disk has lost, and what is written behind them would be lost with them. On a full disk the log
 * stays as it is, so that reads work.
 */
const rewriteLog = (database: DatabaseSync, file: string): void => {
  try {
    database.exec('pragma wal_checkpoint(truncate)')
  } catch (error) {
    if (!storageErrors.disk_full.is(storageErrorOf(error, file))) throw error
  }
}

export const sqliteLanguage: QueryLanguage = {
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: db => new SqliteIntrospector(db),
}

type SyncedLog = Pick<LogSync, 'failure' | 'failed' | 'fail' | 'flushed' | 'idle' | 'close'>

interface OpenDatabase {
  readonly writer: DatabaseSync
  readonly reader: DatabaseSync
  readonly sync: SyncedLog
  /** Undefined for a temporary database. */
  readonly copyMark: SqliteCopyMark | undefined
  readonly checkpoints: LogCheckpoints
  /** Whether checkpoints run in their thread, and not inside of commits. */
  readonly copiesLog: boolean
  readonly file: string
  readonly folder: string
  /** Undefined for a temporary database. */
  readonly lock: ProcessLock | undefined
  readonly recovered: boolean
  /** The check that goes on after the start. */
  readonly check: FileCheck | undefined
  readonly remove: () => void
}

class SqliteEngine implements StorageEngine {
  readonly engine = 'sqlite'
  readonly processes = soloProcess()
  readonly recovered: boolean
  readonly failed: Promise<StorageError>
  readonly read: Kysely<object>
  readonly #open: OpenDatabase
  readonly #writes: GroupCommit
  readonly #connections: readonly SqliteConnection[]
  #closed = false

  constructor(open: OpenDatabase) {
    this.#open = open
    this.recovered = open.recovered
    const { file, sync, check } = open
    this.failed = Promise.race([sync.failed, ...(check ? [check.damaged.then(() => this.#damaged())] : [])])
    const handles = new DatabaseHandles('sqlite', sqliteLanguage)
    const reading = new SqliteConnection(open.reader, { file, readOnly: true })
    const writing = new SqliteConnection(open.writer, { file, readOnly: false })
    this.#connections = [reading, writing]
    const guard = new NestedUseGuard()
    this.#writes = new GroupCommit({
      database: open.writer,
      connection: writing,
      handles,
      guard,
      file,
      sync: open.sync,
      copiesLog: open.copiesLog,
      checkpoints: open.checkpoints,
    })
    this.read = handles.reader<object>({
      provideConnection: async consumer => {
        guard.assertOutside('read')
        if (this.#closed) throw storageErrors.storage_closed()
        return await consumer(reading)
      },
    })
  }

  get copyMark(): CopyMark {
    return this.#open.copyMark ?? temporaryCopy
  }

  write<T>(work: (tx: Transaction<object>) => Promise<T>, timeLimitMs: number, options: WriteOptions<T>): Promise<T> {
    this.#open.copyMark?.noteWrite()
    return this.#writes.write(work, timeLimitMs, options)
  }

  async migrateAlone<T>(work: (tx: Transaction<object>) => Promise<T>, timeLimitMs: number): Promise<T> {
    try {
      return await this.write(work, timeLimitMs, {})
    } finally {
      for (const connection of this.#connections) connection.schemaChanged()
    }
  }

  get isChecking(): boolean {
    return this.#open.check?.state === 'running'
  }

  /** Once the disk has refused a write, looks for space and tries one that changes nothing: with that on disk, all is well. */
  async ping(): Promise<boolean> {
    if (this.#open.sync.failure !== undefined) return false
    if (this.#open.check?.state === 'damaged') return false
    try {
      this.#open.reader.prepare('select count(*) from sqlite_schema').get()
      if (!this.#writes.refused) return true
      const { bavail, bsize } = await statfs(this.#open.folder)
      if (bavail * bsize < LEAST_FREE_BYTES) return false
      await this.#writes.write(tx => tryWriting.execute(tx), PING_TIME_LIMIT_MS)
      this.#writes.refused = false
      return true
    } catch {
      return false
    }
  }

  async #damaged(): Promise<StorageError> {
    const { file } = this.#open
    await this.#writes.write(tx => markDamaged.execute(tx), PING_TIME_LIMIT_MS).catch(() => {})
    return storageErrors.database_corrupt({ file, problem: 'is damaged' })
  }

  async close(): Promise<void> {
    await this.#writes.idle()
    this.#closed = true
    const { reader, writer, sync, copyMark, checkpoints, lock, remove, check } = this.#open
    check?.stop()
    try {
      await checkpoints.close()
      // The last connection to close copies the log, which a reader does not.
      if (copyMark === undefined) return
      reader.close()
      // After a failed sync the next start has to check the file.
      if (sync.failure !== undefined) return
      writer.exec('pragma wal_checkpoint(truncate)')
      if (check === undefined || check.state === 'good') writer.exec('pragma user_version = 0')
    } catch (error) {
      const known = storageErrorOf(error, this.#open.file)
      // The log keeps what is committed; the next start checks the file.
      if (!storageErrors.disk_full.is(known)) throw known
    } finally {
      writer.close()
      if (reader.isOpen) reader.close()
      sync.close()
      lock?.release()
      remove()
    }
  }
}
