import { deleteInParts, type Storage, sql } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import { type CoreTables, rowByRow, sharedTime } from '../database/core-tables.ts'

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

/** A nonce that shows that an invocation was not used before. */
export interface SpentNonce {
  /** SHA-256 of the signed bytes, base64url. */
  readonly hash: string
  /** Milliseconds since 1970 until which it is kept. */
  readonly expiresAt: number
}

/** Marks a nonce as spent; false when it was spent before. */
export const spendNonce = async (tx: Transaction<CoreTables>, nonce: SpentNonce): Promise<boolean> => {
  const row = await tx
    .insertInto('core_spent_nonces')
    .values({ hash: nonce.hash, expires_at: nonce.expiresAt })
    .onConflict(conflict => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst()
  return row !== undefined
}
