import type { Logger } from '@sibyl/plugin'
import type { Storage } from '@sibyl/storage'
import type { CoreTables } from '../database/core-tables.ts'
import { MemoryCounter, type RateCounter } from './rate-counter.ts'
import { SharedCounter } from './shared-counter.ts'
import { takeShares } from './shared-windows.ts'

/**
 * Creates the counter for the database: in memory for the single process of SQLite, shared on PostgreSQL.
 *
 * @param capacity Maximum keys in memory; see `WindowTable`.
 */
export const makeRateCounter = (storage: Storage, log: Logger, capacity?: number): RateCounter => {
  const tables = storage.for<CoreTables>()
  return storage.engine === 'postgres'
    ? new SharedCounter({ take: requests => takeShares(tables, requests), log, ...(capacity ? { capacity } : {}) })
    : new MemoryCounter(undefined, capacity)
}
