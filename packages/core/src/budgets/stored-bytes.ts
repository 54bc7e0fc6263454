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
    const { holder, origin = '', network = '', ofAll, ofOrigin, ofSite } = this.#shareOf(actor, Math.max(1, total))
    const [used] = await runFixed(this.#read, usedBytes, { did: actor.did, holder, origin, network })
    const { ofHolder, byNetwork, bySite, all } = used!
    if (perHolder > 0 && Number(ofHolder) + bytes > perHolder) return 'holder'
    if (total === 0) return undefined
    const isShared = origin !== ''
    if (isShared && (Number(byNetwork) + bytes > ofOrigin || Number(bySite) + bytes > ofSite)) return 'origin'
    return Number(all) + bytes > ofAll ? 'all' : undefined
  }
}

/** Reads the sums of a holder, of a network and its site as they were with the user, and of all. */
const usedBytes: FixedStatement<
  CoreTables,
  Readonly<Record<'did' | 'holder' | 'origin' | 'network', string>>,
  Readonly<Record<'ofHolder' | 'byNetwork' | 'bySite' | 'all', number>>
> = (db, value) => {
  const sums = (which: RawBuilder<unknown>) =>
    sql<number>`coalesce((select sum(bytes) from core_stored_sums where ${which}), 0)`
  const withUser = (name: 'network' | 'origin', now: RawBuilder<unknown>) =>
    sql<number>`${sums(sql`name = 'origin:' || cast(${value(name)} as text)`)} + coalesce((select bytes
      from core_stored_people where did = ${value('did')} and ${now} <> ${value(name)}), 0)`
  return db.selectNoFrom([
    sums(sql`name = 'holder:' || cast(${value('holder')} as text)`).as('ofHolder'),
    withUser('network', sql`coalesce(origin, '')`).as('byNetwork'),
    withUser('origin', sql`substr(coalesce(origin, ''), 1, length(cast(${value('origin')} as text)))`).as('bySite'),
    sums(sql`name >= 'all:' and name < 'all;'`).as('all'),
  ])
}
