import type { ShareOf } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'
import { type FixedStatement, runFixed, type Storage, sql } from '@sibyl/storage'
import type { RawBuilder } from 'kysely'
import type { CoreTables } from '../database/core-tables.ts'

/** Limits in bytes; 0 means unlimited. */
export interface StoredBytesLimits {
  /** Of one holder. */
  readonly perHolder: number
  /** Of all together. */
  readonly total: number
}

/** The limit that would be exceeded: that of the holder, of its network, or of all together. */
export type StoredBytesFull = 'holder' | 'origin' | 'all'

/** Counts what users store in conversations and beside them. */
export class StoredBytes {
  readonly #read: Storage<CoreTables>['read']
  readonly #limits: StoredBytesLimits
  readonly #shareOf: ShareOf

  constructor(read: Storage<CoreTables>['read'], limits: StoredBytesLimits, shareOf: ShareOf) {
    this.#read = read
    this.#limits = limits
    this.#shareOf = shareOf
  }

  /** Returns the limit that an actor would exceed with so many bytes more. */
  async fullFor(actor: CountedActor, bytes: number): Promise<StoredBytesFull | undefined> {
    const { perHolder, total } = this.#limits
    if (perHolder === 0 && total === 0) return undefined
    const { holder, origin, ofAll, ofOrigin } = this.#shareOf(actor, Math.max(1, total))
    const [used] = await runFixed(this.#read, usedBytes, { did: actor.did, holder, origin: origin ?? '' })
    const { ofHolder, byOrigin, all } = used!
    if (perHolder > 0 && Number(ofHolder) + bytes > perHolder) return 'holder'
    if (total === 0) return undefined
    if (origin !== undefined && Number(byOrigin) + bytes > ofOrigin) return 'origin'
    return Number(all) + bytes > ofAll ? 'all' : undefined
  }
}

/** Reads the sums of a holder, of a network as it were with the user, and of all. */
const usedBytes: FixedStatement<
  CoreTables,
  { readonly did: string; readonly holder: string; readonly origin: string },
  { readonly ofHolder: number; readonly byOrigin: number; readonly all: number }
> = (db, value) => {
  const sums = (which: RawBuilder<unknown>) =>
    sql<number>`coalesce((select sum(bytes) from core_stored_sums where ${which}), 0)`
  return db.selectNoFrom([
    sums(sql`name = 'holder:' || cast(${value('holder')} as text)`).as('ofHolder'),
    sql<number>`${sums(sql`name = 'origin:' || cast(${value('origin')} as text)`)} + coalesce((select bytes
      from core_stored_people where did = ${value('did')} and coalesce(origin, '') <> ${value('origin')}), 0)`.as(
      'byOrigin',
    ),
    sums(sql`name >= 'all:' and name < 'all;'`).as('all'),
  ])
}
