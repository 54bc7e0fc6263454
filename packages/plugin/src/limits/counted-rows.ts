import type { CountedActor } from '@sibyl/protocol'
import { type AnyTransaction, changeInParts, type RowsToChange, type Storage, sql } from '@sibyl/storage'
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
interface Counter {
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
    await limits.countStored(tx, bytesByOwner(deleted, -1))
    return deleted.length
  })

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

/** Returns the sums of rows by their owner. */
const bytesByOwner = (rows: readonly Record<string, unknown>[], sign: 1 | -1) => {
  const sums = new Map<string, number>()
  for (const { owner, bytes } of rows) {
    const did = String(owner)
    sums.set(did, (sums.get(did) ?? 0) + sign * Number(bytes ?? 0))
  }
  return [...sums].map(([did, bytes]) => ({ did, bytes }))
}
