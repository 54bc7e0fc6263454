import type { Kysely, Transaction } from 'kysely'
import type { StorageError } from '../errors/storage-error.ts'
import type { StorageLogger } from '../logging/logger.ts'
import type { Migrations } from '../migrations/migrations.ts'
import type { Engine } from '../sql/engine.ts'
import type { Clock } from '../time/clock.ts'
import type { CopyMark } from './copy-mark.ts'
import type { Processes } from './processes.ts'

/** The database of an oracle. `Tables` is a Kysely tables interface of the one who holds it. */
export interface Storage<Tables = object> {
  readonly engine: Engine
  /**
   * Reads; sees every write whose promise has resolved. Changing data through it throws `read_only_access`, using it
   * inside `write` throws `nested_use`.
   */
  readonly read: Kysely<Tables>
  /**
   * The only way to change data: runs `work` in a transaction and resolves with its value once the change is on disk.
   * Writes that come together share one commit on SQLite; one that fails rolls back alone.
   *
   * `work` may await nothing but `tx`, and may run again where PostgreSQL reports a deadlock or a serialization failure,
   * so it has no effect outside the database. After a statement failed, the whole write fails, even if `work` catches.
   *
   * @throws `write_timeout` after 10 s, `nested_use`, `disk_full`,
   * `constraint_violated`, `database_unreachable` (nothing was kept),
   * `commit_outcome_unknown` where the answer to the commit was lost and the server cannot be
   * asked within 3 s, `storage_closed`, and whatever `work` throws
   * @example
   * await storage.write(async tx => {
   *   await tx.insertInto('nonces').values({ nonce }).execute()
   *   await tx.insertInto('messages').values(message).execute()
   * })
   */
  write<T>(work: (tx: Transaction<Tables>) => Promise<T>, options?: WriteOptions<T>): Promise<T>
  /** The same storage, typed for another owner's tables. */
  for<OwnTables>(): Storage<OwnTables>
  /**
   * Applies the owner's migrations that are not applied yet, by name, all in one transaction. Processes that start at
   * once wait for each other.
   *
   * @param owner 'core' or a plugin's name
   * @returns the names applied by this call
   * @throws `migration_unknown`, `migration_order`, `migration_failed`
   */
  migrate(owner: string, migrations: Migrations): Promise<readonly string[]>
  /** Whether the previous process left without `close()`. Always false on PostgreSQL, which sees to that itself. */
  readonly recovered: boolean
  /** Whether its file is being checked after an unclean end: a large one is checked while it is used. */
  readonly isChecking: boolean
  /** The processes that share the database. */
  readonly processes: Processes
  /** Distinguishes this copy of the database from its backups; for `openRestoreWatch`. */
  readonly copyMark: CopyMark
  /**
   * Resolves when the database takes no further write until the process restarts: `database_sync_failed` or
   * `database_corrupt` on SQLite.
   * PostgreSQL restarts itself then. Never rejects.
   */
  readonly failed: Promise<StorageError>
  /** Whether the database answers within 1.5 s, and on SQLite its disk takes writes. */
  ping(): Promise<boolean>
  /** Refuses new work, waits for the writes under way, and closes. May be called twice. */
  close(): Promise<void>
}

export interface WriteOptions<T> {
  /**
   * Called with the value once the change is readable, a moment before it is on disk on SQLite: for work that may start
   * then, but must not report success before the promise resolves.
   */
  readonly committed?: (value: T) => void
  /**
   * PostgreSQL: how writes at the same time are kept apart. `serializable`: as if they ran one after the other; those
   * that clash run again. `read committed`: each statement sees what is committed and waits for the rows that it changes,
   * so the work must decide by what its statements change and return, never by a row that it only read. It is the
   * faster one where many write at once.
   *
   * @default 'serializable'
   */
  readonly isolation?: 'serializable' | 'read committed'
  /**
   * SQLite: overwrites what the work deletes in the database's file, and empties its log after the commit: for what a
   * person wants to be forgotten. PostgreSQL keeps deleted rows until its own vacuum.
   *
   * @default false
   */
  readonly scrub?: boolean
  /**
   * SQLite: what is done with the database's log after the commit, in a thread of its own and before the promise resolves.
   * `copied`: it is copied into the database's file, so that no later commit does it on the event loop: for one of many
   * writes that change much, such as a deletion in parts. `emptied`: it is emptied as well. What is scrubbed by writes that
   * leave or copy the log is gone with the next write that empties it.
   *
   * @default 'emptied' with `scrub`, otherwise 'left'
   */
  readonly log?: 'left' | 'copied' | 'emptied'
}

export interface StorageOptions {
  /**
   * `file:` and a path (from the working directory, its folder is made), `memory:` for a temporary database that is gone
   * after `close()`, or `postgres://user:password@host:port/name`.
   */
  readonly url: string
  /**
   * PostgreSQL: the same database without a pooler, if `url` leads to one that pools transactions. One connection uses it:
   * the one that holds the lock of this process and receives notifications.
   */
  readonly directUrl?: string
  /**
   * PostgreSQL: fails with `move_refused` while another process has the database open, and keeps others out with
   * `move_unfinished`. SQLite always serves one process.
   *
   * @default false
   */
  readonly alone?: boolean
  /** @default nothing is logged */
  readonly logger?: StorageLogger
  /** Stamps the migrations. @default the computer's clock */
  readonly clock?: Clock
  /** Called with an error that no caller waits for, such as a broken idle connection. It is logged as well. */
  readonly onError?: (error: Error) => void
  /** Time limit of the work of one write, in milliseconds. @default 10_000 */
  readonly writeTimeLimitMs?: number
  /** PostgreSQL: the largest number of connections for reading, and again for writing. @default 5 */
  readonly poolSize?: number
  /**
   * PostgreSQL: how long a server that is starting up, or has no connection free, is waited for, in milliseconds.
   * @default 30_000
   */
  readonly startTimeLimitMs?: number
}
