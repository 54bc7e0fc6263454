import type { Full, ShareOf, StoredSpace } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'
import { type FixedStatement, runFixed, type Storage, sql } from '@sibyl/storage'
import type { RawBuilder, Transaction } from 'kysely'
import type { CoreTables } from '../database/core-tables.ts'
import { countStored, storedBy } from '../database/count-stored.ts'
import { conversations } from '../database/stored-bytes-tables.ts'

/** Limits in bytes; 0 means unlimited. */
export interface StoredBytesLimits {
  /** Of one holder. */
  readonly perHolder: number
  /** Of all together. */
  readonly total: number
}

type Read = Storage<CoreTables>['read']

export const createStoredBytes = (
  read: Read,
  limits: StoredBytesLimits,
  shareOf: ShareOf,
  kind: string = conversations,
) => ({
  /** Returns the limit that an actor would exceed with so many bytes more. */
  async fullFor(actor: CountedActor, bytes: number, db: Read = read): Promise<Full | undefined> {
    const { perHolder, total } = limits
    if (perHolder === 0 && total === 0) return undefined
    const { holder, origin = '', network = '', ofAll, ofOrigin, ofSite } = shareOf(actor, Math.max(1, total))
    const [used] = await runFixed(db, usedBytes, { kind, did: actor.did, holder, origin, network })
    const { ofHolder, byNetwork, bySite, all } = used!
    if (perHolder > 0 && Number(ofHolder) + bytes > perHolder) return 'holder'
    if (total === 0) return undefined
    const isShared = origin !== ''
    if (isShared && (Number(byNetwork) + bytes > ofOrigin || Number(bySite) + bytes > ofSite)) return 'origin'
    return Number(all) + bytes > ofAll ? 'all' : undefined
  },
})

/** Limits what users store of a kind: in conversations and beside them, or in a plugin. */
export type StoredBytes = ReturnType<typeof createStoredBytes>

/** Creates the counter of what users store in a plugin. */
export const createSpace = (plugin: string, limits: StoredBytesLimits, read: Read, shareOf: ShareOf): StoredSpace => {
  const stored = createStoredBytes(read, limits, shareOf, plugin)
  const core = (db: unknown) => (db as Transaction<CoreTables>).withoutPlugins()
  return {
    countStored: (tx, changes) => countStored(core(tx), changes, plugin),
    fullFor: (tx, actor, bytes) => stored.fullFor(actor, bytes, core(tx)),
    ofUser: (db, did) => storedBy(core(db), did, plugin),
    async erase(tx, did, staying = 0) {
      const stored = await storedBy(core(tx), did, plugin)
      if (!stored) return
      const { origin } = stored
      const nameless = { did: `erased ${origin ?? ''}`, origin, bytes: Math.min(stored.bytes, staying) }
      await countStored(core(tx), [{ did, bytes: -stored.bytes }, nameless], plugin)
    },
  }
}

/** Reads the sums of a holder, of a network and its site as they were with the user, and of all. */
const usedBytes: FixedStatement<
  CoreTables,
  Readonly<Record<'kind' | 'did' | 'holder' | 'origin' | 'network', string>>,
  Readonly<Record<'ofHolder' | 'byNetwork' | 'bySite' | 'all', number>>
> = (db, value) => {
  const sums = (which: RawBuilder<unknown>) =>
    sql<number>`coalesce((select sum(bytes) from core_stored_sums where ${which}), 0)`
  const name = (prefix: string, of?: 'holder' | 'network' | 'origin') =>
    sql`cast(${value('kind')} as text) || ${sql.lit(` ${prefix}`)}${of ? sql` || cast(${value(of)} as text)` : sql``}`
  const withUser = (of: 'network' | 'origin', now: RawBuilder<unknown>) =>
    sql<number>`${sums(sql`name = ${name('origin:', of)}`)} + coalesce((select bytes from core_stored_bytes
      where kind = ${value('kind')} and did = ${value('did')} and ${now} <> ${value(of)}), 0)`
  return db.selectNoFrom([
    sums(sql`name = ${name('holder:', 'holder')}`).as('ofHolder'),
    withUser('network', sql`coalesce(origin, '')`).as('byNetwork'),
    withUser('origin', sql`substr(coalesce(origin, ''), 1, length(cast(${value('origin')} as text)))`).as('bySite'),
    sums(sql`name >= ${name('all:')} and name < ${name('all;')}`).as('all'),
  ])
}
