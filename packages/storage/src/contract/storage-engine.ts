import type { Transaction } from 'kysely'
import type { Storage, WriteOptions } from './storage.ts'

/** The engine-specific part of a `Storage`; see `openStorage`. */
export interface StorageEngine extends Omit<Storage, 'write' | 'for' | 'migrate'> {
  /** Runs the work in a transaction; refuses use inside another work. */
  write<T>(work: (tx: Transaction<object>) => Promise<T>, timeLimitMs: number, options: WriteOptions<T>): Promise<T>
  /** Like `write`, while no other process changes the schema. */
  migrateAlone<T>(work: (tx: Transaction<object>) => Promise<T>, timeLimitMs: number): Promise<T>
}
