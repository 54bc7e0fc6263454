import type { Kysely, Transaction } from 'kysely'
import type { StorageError } from '../errors/storage-error.ts'
import type { Engine } from '../sql/engine.ts'
import type { CopyMark } from './copy-mark.ts'
import type { Processes } from './processes.ts'
import type { WriteOptions } from './storage.ts'

/** The engine-specific part of a `Storage`; see `openStorage`. */
export interface StorageEngine {
  readonly engine: Engine
  readonly recovered: boolean
  readonly isChecking: boolean
  readonly read: Kysely<object>
  readonly processes: Processes
  readonly copyMark: CopyMark
  /** Runs the work in a transaction; refuses use inside another work. */
  write<T>(work: (tx: Transaction<object>) => Promise<T>, timeLimitMs: number, options: WriteOptions<T>): Promise<T>
  /** Like `write`, while no other process changes the schema. */
  migrateAlone<T>(work: (tx: Transaction<object>) => Promise<T>, timeLimitMs: number): Promise<T>
  /** Whether the database answers, by a time limit of its own. */
  ping(): Promise<boolean>
  /** Resolves when no write is possible until the process restarts. */
  readonly failed: Promise<StorageError>
  /** Waits for the writes under way, then closes. */
  close(): Promise<void>
}
