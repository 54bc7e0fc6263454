import { fullOfRows, type LimitShare } from '@sibyl/plugin'
import { deleteInParts, type FixedStatement, runFixed, type Storage, sql } from '@sibyl/storage'
import type { Kysely, Transaction } from 'kysely'
import { type CoreTables, rowByRow, sharedTime } from '../database/core-tables.ts'

/** Maximum stored revocations of one holder. */
export const maxRevocationsOfHolder = 200

/** Maximum revocations of all holders. The operator, the oracle and its controllers have no limit. */
export const maxRevocations = 100_000

/**
 * Additional time that a revocation is stored after its token expires, in milliseconds: clocks jump, and differ between
 * processes.
 */
export const revocationMarginMs = 86_400_000

/** A revoked token. */
export interface RevocationRow {
  /** The `tokenHash`. */
  readonly hash: string
  /** The DID of the issuer who revoked it, or `operator`. */
  readonly revokedBy: string
  /** Milliseconds since 1970. */
  readonly revokedAt: number
  /** The time until which it is stored, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** Returns those of these hashes that are revoked, within this transaction. */
export const revokedAmong = async (
  db: Pick<Kysely<CoreTables>, 'selectFrom'>,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (hashes.length === 0) return new Set()
  const rows = await db.selectFrom('core_revocations').select('hash').where('hash', 'in', hashes).execute()
  return new Set(rows.map(row => row.hash))
}

/** Creates the store on the storage of the app. */
export const createRevocationStore = (storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>) => {
  const among = (hashes: readonly string[]) => revokedAmong(storage.read, hashes)
  return {
    /** Returns those of these hashes that are revoked. */
    among,
    /** Returns one of these hashes that is revoked: one indexed read. */
    async findRevoked(hashes: readonly string[]): Promise<string | undefined> {
      const [first] = await among(hashes)
      return first
    },
    /**
     * Revokes a token and the bearers that depend on it, on disk; false if the list is full. An existing revocation
     * stays, with the later expiry.
     *
     * @param share The share of the list for the holder. @default no limit
     */
    revoke: ({ hash, revokedBy, revokedAt, expiresAt }: RevocationRow, share?: LimitShare): Promise<boolean> =>
      storage.write(async tx => {
        if (share && (await revokedAmong(tx, [hash])).size === 0 && (await isFull(tx, share))) return false
        await tx
          .insertInto('core_revocations')
          .values({
            hash,
            revoked_by: revokedBy,
            holder: share?.holder ?? null,
            origin: share?.network ?? null,
            revoked_at: revokedAt,
            expires_at: expiresAt,
          })
          .onConflict(conflict =>
            conflict
              .column('hash')
              .doUpdateSet({ expires_at: expiresAt })
              .where('core_revocations.expires_at', '<', expiresAt),
          )
          .execute()
        await tx
          .deleteFrom('core_bearers')
          .where('hash', 'in', links => links.selectFrom('core_bearer_links').select('bearer').where('link', '=', hash))
          .execute()
        return true
      }),
    /** Lists them by hash, after one of them. */
    async list(limit: number, after: string = ''): Promise<RevocationRow[]> {
      const rows = await storage.read
        .selectFrom('core_revocations')
        .selectAll()
        .where('hash', '>', after)
        .orderBy('hash')
        .limit(limit)
        .execute()
      return rows.map(row => ({
        hash: row.hash,
        revokedBy: row.revoked_by,
        revokedAt: row.revoked_at,
        expiresAt: row.expires_at,
      }))
    },
  }
}

/** Stores revocations until they expire. Nothing is cached, so that they apply at once everywhere. */
export type RevocationStore = ReturnType<typeof createRevocationStore>

/** Returns whether callers who are not controllers have used up their part of the list. */
const isFull = async (db: Pick<Kysely<CoreTables>, 'selectFrom'>, share: LimitShare): Promise<boolean> => {
  const counted = db.selectFrom('core_revocations').where('holder', 'is not', null)
  return (await fullOfRows(counted, share, { perHolder: maxRevocationsOfHolder })) !== undefined
}

/** Additional time that a nonce is stored, in milliseconds: the clocks of computers and database may differ. */
const nonceMarginMs = 600_000

/** Creates the guard on the storage of the app. */
export const createReplayGuard = (storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>) => ({
  /** Marks an invocation as used, on disk; false if it was used before. */
  spend: (nonce: SpentNonce): Promise<boolean> => storage.write(tx => spendNonce(tx, nonce), rowByRow),
  /** Deletes expired ones. */
  async forgetExpired(now: number, signal?: AbortSignal): Promise<void> {
    const before = sql<number>`${sharedTime(storage.engine, now)} - ${sql.lit(nonceMarginMs)}`
    await deleteInParts(storage, {
      table: 'core_spent_nonces',
      key: ['expires_at', 'hash'],
      where: eb => eb.and([eb('expires_at', '<', before), eb('expires_at', '<', now - nonceMarginMs)]),
      signal,
    })
  },
})

/** Stores used invocations, across restarts and processes. */
export type ReplayGuard = ReturnType<typeof createReplayGuard>

/** The nonce of a used invocation. */
export interface SpentNonce {
  /** SHA-256 of the signed bytes, base64url. */
  readonly hash: string
  /** The time until which it is stored, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** Marks a nonce as spent; false if it was spent before. */
export const spendNonce = async (tx: Transaction<CoreTables>, nonce: SpentNonce): Promise<boolean> =>
  (await runFixed(tx, nonceInsert, nonce)).length > 0

const nonceInsert: FixedStatement<CoreTables, SpentNonce, { hash: string }> = (tx, value) =>
  tx
    .insertInto('core_spent_nonces')
    .values({ hash: value('hash'), expires_at: value('expiresAt') })
    .onConflict(conflict => conflict.doNothing())
    .returning('hash')
