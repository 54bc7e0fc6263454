import { deleteInParts, type Storage, sql } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import { type CoreTables, rowByRow, sharedTime } from '../database/core-tables.ts'

/** Additional time that a nonce is stored, in milliseconds: the clocks of computers and database may differ. */
const marginMs = 600_000

/** Stores used invocations, across restarts and processes. */
export interface ReplayGuard {
  /** Marks an invocation as used, on disk; false if it was used before. */
  spend(nonce: SpentNonce): Promise<boolean>
  /** Deletes expired ones. */
  forgetExpired(now: number, signal?: AbortSignal): Promise<void>
}

/** Creates the guard on the storage of the app. */
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

/** The nonce of a used invocation. */
export interface SpentNonce {
  /** SHA-256 of the signed bytes, base64url. */
  readonly hash: string
  /** The time until which it is stored, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** Marks a nonce as spent; false if it was spent before. */
export const spendNonce = async (tx: Transaction<CoreTables>, nonce: SpentNonce): Promise<boolean> => {
  const row = await tx
    .insertInto('core_spent_nonces')
    .values({ hash: nonce.hash, expires_at: nonce.expiresAt })
    .onConflict(conflict => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst()
  return row !== undefined
}
