import type { LimitShare } from '@sibyl/plugin'
import { deleteInParts, type Storage } from '@sibyl/storage'
import type { Kysely } from 'kysely'
import type { CoreTables } from '../database/core-tables.ts'

/** The most revocations of one holder that are kept. */
export const maxRevocationsOfHolder = 200

/** The most revocations that holders can fill the list with. The operator, the oracle and its controllers have no limit. */
export const maxRevocations = 100_000

/** How long a revocation is kept beyond its token, in milliseconds: clocks jump, and those of processes disagree. */
const marginMs = 86_400_000

/** One token that is good no longer. */
export interface RevocationRow {
  /** The `tokenHash`. */
  readonly hash: string
  /** The DID of the issuer who revoked it, or `operator`. */
  readonly revokedBy: string
  /** Milliseconds since 1970. */
  readonly revokedAt: number
  /** Milliseconds since 1970, until which it is kept. */
  readonly expiresAt: number
}

/** Keeps what was revoked until it has expired. Nothing is cached, so that it holds at once everywhere. */
export interface RevocationStore {
  /** One of these hashes that is revoked: one indexed read. */
  findRevoked(hashes: readonly string[]): Promise<string | undefined>
  /** Those of these hashes that are revoked. */
  among(hashes: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Revokes a token, on disk, together with the bearers that rest on it; false when the list is full. What is revoked
   * already stays so, for the longer time.
   *
   * @param share The part of the list for whoever it counts for. @default it has no limit
   */
  revoke(row: RevocationRow, share?: LimitShare): Promise<boolean>
  /** In the order of their hashes, after one of them. */
  list(limit: number, after?: string): Promise<RevocationRow[]>
  /** Forgets those whose tokens expired a day ago. */
  forgetExpired(now: number, signal?: AbortSignal): Promise<void>
}

/** Those of these hashes that are revoked, as this transaction sees it. */
export const revokedAmong = async (
  db: Pick<Kysely<CoreTables>, 'selectFrom'>,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (hashes.length === 0) return new Set()
  const rows = await db.selectFrom('core_revocations').select('hash').where('hash', 'in', hashes).execute()
  return new Set(rows.map(row => row.hash))
}

/** Makes the store on the app's storage. */
export const createRevocationStore = (
  storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>,
): RevocationStore => {
  const among = (hashes: readonly string[]) => revokedAmong(storage.read, hashes)
  return {
    among,
    async findRevoked(hashes) {
      const [first] = await among(hashes)
      return first
    },
    revoke: ({ hash, revokedBy, revokedAt, expiresAt }, share) =>
      storage.write(async tx => {
        if (share && (await revokedAmong(tx, [hash])).size === 0 && (await isFull(tx, share))) return false
        await tx
          .insertInto('core_revocations')
          .values({
            hash,
            revoked_by: revokedBy,
            holder: share?.holder ?? null,
            origin: share?.origin ?? null,
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
    async list(limit, after = '') {
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
    async forgetExpired(now, signal) {
      await deleteInParts(storage, {
        table: 'core_revocations',
        key: ['hash'],
        where: eb => eb('expires_at', '<=', now - marginMs),
        signal,
      })
    },
  }
}

const isFull = async (db: Pick<Kysely<CoreTables>, 'selectFrom'>, share: LimitShare): Promise<boolean> => {
  const counted = db.selectFrom('core_revocations').select(eb => eb.fn.countAll<number>().as('count'))
  const count = async (query: typeof counted) => Number((await query.executeTakeFirstOrThrow()).count)
  const { holder, origin, ofAll, ofOrigin } = share
  if ((await count(counted.where('holder', '=', holder))) >= maxRevocationsOfHolder) return true
  if (origin !== undefined && (await count(counted.where('origin', '=', origin))) >= ofOrigin) return true
  return (await count(counted.where('holder', 'is not', null))) >= ofAll
}
