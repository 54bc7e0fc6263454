import type { Kysely } from 'kysely'
import type { Engine } from '../sql/engine.ts'

/** A database that other processes may write meanwhile, for reading only. */
export interface DatabaseSnapshot {
  readonly engine: Engine
  /** PostgreSQL: all reads see one state. SQLite: each query sees the last one. */
  readonly read: Kysely<object>
  close(): Promise<void>
}
