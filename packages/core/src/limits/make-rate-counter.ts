import type { Storage } from '@sibyl/storage'
import type { Logger } from '../logging/logger.ts'
import type { CoreTables } from '../sessions/core-tables.ts'
import { MemoryCounter, type RateCounter } from './rate-counter.ts'
import { SharedCounter } from './shared-counter.ts'
import { takeShares } from './shared-windows.ts'

/** Makes the counter that fits the database: in memory for the one process of SQLite, shared on PostgreSQL. */
export const makeRateCounter = (storage: Storage, log: Logger): RateCounter => {
  const tables = storage.for<CoreTables>()
  return storage.engine === 'postgres'
    ? new SharedCounter({ take: wishes => takeShares(tables, wishes), log })
    : new MemoryCounter()
}
