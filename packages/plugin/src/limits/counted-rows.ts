import type { CountedActor } from '@sibyl/protocol'
import { type AnyTransaction, changeInParts, type RowsToChange, type Storage, sql } from '@sibyl/storage'
import type { RawBuilder, SelectQueryBuilder } from 'kysely'
import type { LimitShare } from './limit-shares.ts'
import type { Full } from './places.ts'

/** Bytes that a user stores, or deletes if negative. */
export interface StoredBytes {
  readonly did: string
  /** The DID whose quota they count for. @default the user */
  readonly holder?: string | undefined
  /** The network whose share they count for. @default that of the last write */
  readonly origin?: string | undefined
  readonly bytes: number
}

/** The part of `host.limits` and of a space that counts what users store. */
export interface Counter {
  countStored(tx: AnyTransaction, stored: readonly StoredBytes[]): Promise<void>
}

/** The bytes that users store in a plugin: of each holder, each network and all together. */
export interface StoredSpace extends Counter {
  /**
   * Returns the limit that an actor exceeds with so many bytes more, in the transaction that stores them: before `countStored`,
   * or after it with 0, which also counts writers of the same holder and network at the same time.
   */
  fullFor(tx: AnyTransaction, actor: CountedActor, bytes: number): Promise<Full | undefined>
  /** Returns what a user stores; undefined without data. @param db `storage.read` or a transaction */
  ofUser(db: Pick<AnyTransaction, 'getExecutor'>, did: string): Promise<StoredBytes | undefined>
  /** Subtracts what an erased user stored. Bytes that stay, if any, count for the network without a name. */
  erase(tx: AnyTransaction, did: string, staying?: number): Promise<void>
}

/**
 * Deletes rows in parts, as `deleteInParts`, and subtracts their bytes from what their owners store: the table has the columns
 * `owner` and `bytes`.
 *
 * @returns how many rows it deleted
 */
export const deleteCounted = <Tables, Table extends keyof Tables & string>(
  storage: Pick<Storage<Tables>, 'engine' | 'read' | 'write'>,
  limits: Counter,
  rows: RowsToChange<Tables, Table>,
): Promise<number> =>
  changeInParts(storage, rows, async (tx, among) => {
    const deleted = await tx
      .deleteFrom(rows.table as string)
      .where(among)
      .returning(['owner', 'bytes'])
      .execute()
    await subtractDeleted(tx, limits, deleted)
    return deleted.length
  })

/** Subtracts the `bytes` of deleted rows from what each `owner` stores. */
export const subtractDeleted = (tx: AnyTransaction, limits: Counter, rows: readonly Record<string, unknown>[]) =>
  limits.countStored(tx, bytesByOwner(rows, -1))

/**
 * Counts rows of a version before the table had the column `bytes`, in parts.
 *
 * @param rows.size SQL of the bytes of a row.
 */
export const countEarlier = <Tables, Table extends keyof Tables & string>(
  storage: Pick<Storage<Tables>, 'engine' | 'read' | 'write'>,
  limits: Counter,
  { size, ...rows }: Pick<RowsToChange<Tables, Table>, 'table' | 'key' | 'signal'> & { readonly size: string },
): Promise<number> =>
  changeInParts(storage, { ...rows, where: () => sql<boolean>`bytes is null` }, async (tx, among) => {
    const counted = await tx
      .updateTable(rows.table as string)
      .set({ bytes: sql.raw(size) })
      .where(among)
      .returning(['owner', 'bytes'])
      .execute()
    await limits.countStored(tx, bytesByOwner(counted, 1))
    return counted.length
  })

/** Limits of rows, besides those of a share. */
interface RowLimits {
  /** Maximum of one holder. @default those of all */
  readonly perHolder?: number
  /** SQL of the DID that a row counts for. @default the column `holder` */
  readonly holder?: string
  /** The column that is added up instead of the number of rows, and how much is to be added. */
  readonly sum?: { readonly column: string; readonly added: number }
}

/**
 * Returns the limit that a further row would exceed. The column `origin` of the rows has `share.network`, so that a network of an
 * IPv6 site has a share, and the site a multiple of it.
 *
 * @example const full = await fullOfRows(tx.selectFrom('ports_watches'), share, { perHolder: 20 })
 */
export const fullOfRows = async <Tables, Table extends keyof Tables>(
  rows: SelectQueryBuilder<Tables, Table, object>,
  { holder, origin, network, ofAll, ofOrigin, ofSite }: LimitShare,
  { perHolder = ofAll, holder: counted = 'holder', sum: { column, added } = { column: '1', added: 1 } }: RowLimits = {},
): Promise<Full | undefined> => {
  const sum = (which: RawBuilder<unknown>) =>
    sql<number>`coalesce(sum(case when ${which} then ${sql.raw(column)} end), 0)`
  const site = origin ?? ''
  const used = await rows
    .select([
      sum(sql`${sql.raw(counted)} = ${holder}`).as('ofHolder'),
      sum(sql`origin = ${network ?? ''}`).as('byNetwork'),
      sum(sql`origin = ${site} or substr(origin, 1, ${sql.lit(site.length + 1)}) = ${`${site}.`}`).as('bySite'),
      sum(sql`1 = 1`).as('all'),
    ])
    .$castTo<Readonly<Record<'ofHolder' | 'byNetwork' | 'bySite' | 'all', number>>>()
    .executeTakeFirstOrThrow()
  const isOver = (sumOfRows: unknown, limit: number) => Number(sumOfRows) + added > limit
  if (isOver(used.ofHolder, perHolder)) return 'holder'
  if (origin !== undefined && (isOver(used.byNetwork, ofOrigin) || isOver(used.bySite, ofSite))) return 'origin'
  return isOver(used.all, ofAll) ? 'all' : undefined
}

/** Returns the sums of rows by their owner. */
const bytesByOwner = (rows: readonly Record<string, unknown>[], sign: 1 | -1) => {
  const sums = new Map<string, number>()
  for (const { owner, bytes } of rows) {
    const did = String(owner)
    sums.set(did, (sums.get(did) ?? 0) + sign * Number(bytes ?? 0))
  }
  return [...sums].map(([did, bytes]) => ({ did, bytes }))
}
