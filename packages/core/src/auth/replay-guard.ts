import { deleteInParts, type Storage, sql } from '@sibyl/storage'
import { type CoreTables, rowByRow, sharedTime } from '../sessions/core-tables.ts'
import { type SpentNonce, spendNonce } from '../sessions/spent-nonce.ts'

/** How long a nonce is kept beyond its use by either clock, in milliseconds: computers and database may disagree. */
const marginMs = 600_000

/** Remembers the invocations that were used, across restarts and processes. */
export interface ReplayGuard {
  /** Marks an invocation as used, on disk; false when it was used before. */
  spend(nonce: SpentNonce): Promise<boolean>
  /** Forgets those that have expired. */
  forgetExpired(now: number, signal?: AbortSignal): Promise<void>
}

/** Makes the guard on the app's storage. */
export const createReplayGuard = (storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>): ReplayGuard => ({
  spend: nonce => storage.write(tx => spendNonce(tx, nonce), rowByRow),
  async forgetExpired(now, signal) {
    const before = sql<number>`${sharedTime(storage.engine, now)} - ${sql.lit(marginMs)}`
    await deleteInParts(storage, {
      table: 'core_spent_nonces',
      key: ['expires_at', 'hash'],
      where: eb => eb.and([eb('expires_at', '<', before), eb('expires_at', '<', now - marginMs)]),
      signal,
    })
  },
})
