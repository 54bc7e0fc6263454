import type { Transaction } from 'kysely'
import type { CoreTables } from './core-tables.ts'

/** What proves that an invocation was not used before. */
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
