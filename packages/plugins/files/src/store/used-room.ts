import { sql } from '@sibyl/plugin/storage'
import type { FilesTransaction } from './files-tables.ts'

/** How much room is used, in bytes: kept, and reserved for what arrives. */
export interface UsedRoom {
  readonly ofHolder: number
  readonly ofOrigin: number
  readonly ofAll: number
  /** What of it is reserved. */
  readonly arriving: number
}

/** Reads how much room a holder, an origin and all use. */
export const usedRoom = async (
  tx: FilesTransaction,
  { holder, origin = '' }: { readonly holder: string; readonly origin: string | undefined },
): Promise<UsedRoom> => {
  const sums = (column: 'people.bytes' | 'arrivals.bytes') => {
    const bytes = sql.ref(column)
    return [
      sql<number>`coalesce(sum(case when people.holder = ${holder} then ${bytes} end), 0)`.as('ofHolder'),
      sql<number>`coalesce(sum(case when people.origin = ${origin} then ${bytes} end), 0)`.as('ofOrigin'),
      sql<number>`coalesce(sum(${bytes}), 0)`.as('ofAll'),
    ] as const
  }
  const kept = await tx
    .selectFrom('files_people as people')
    .select([...sums('people.bytes')])
    .executeTakeFirstOrThrow()
  const arriving = await tx
    .selectFrom('files_arrivals as arrivals')
    .innerJoin('files_people as people', 'people.person', 'arrivals.person')
    .select([...sums('arrivals.bytes')])
    .executeTakeFirstOrThrow()
  return {
    ofHolder: Number(kept.ofHolder) + Number(arriving.ofHolder),
    ofOrigin: Number(kept.ofOrigin) + Number(arriving.ofOrigin),
    ofAll: Number(kept.ofAll) + Number(arriving.ofAll),
    arriving: Number(arriving.ofAll),
  }
}

/** Waits until no other write for this holder is under way; writes for a holder lock its row before others. */
export const lockHolder = async (tx: FilesTransaction, holder: string): Promise<void> => {
  await tx.updateTable('files_people').set({ records: sql<number>`records` }).where('did', '=', holder).execute()
}
