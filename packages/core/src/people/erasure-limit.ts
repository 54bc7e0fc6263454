import { erasedMark } from '@sibyl/plugin'
import { nextUtcDay, utcDay } from '@sibyl/protocol'
import { type Storage, sql } from '@sibyl/storage'
import { type CoreTables, rowByRow } from '../database/core-tables.ts'

/** The most erasures that a person does in a day of UTC: each renews what is granted or counted by the day. */
const mostInDay = 3

/** Limits how often people erase themselves; an operator's erasures do not count. */
export interface ErasureLimit {
  /** Returns seconds until a person may erase again; undefined when they may now. */
  waitSeconds(did: string): Promise<number | undefined>
  /** Counts an erasure that succeeded. */
  count(did: string): Promise<void>
}

/** Creates the limit on the app's storage. */
export const createErasureLimit = (
  storage: Pick<Storage<CoreTables>, 'read' | 'write'>,
  now: () => number,
): ErasureLimit => ({
  async waitSeconds(did) {
    const at = now()
    const row = await storage.read
      .selectFrom('core_erasures')
      .select('times')
      .where('mark', '=', erasedMark(did))
      .where('day', '=', utcDay(at))
      .executeTakeFirst()
    return row && row.times >= mostInDay ? Math.ceil((nextUtcDay(at) - at) / 1000) : undefined
  },
  async count(did) {
    const day = utcDay(now())
    await storage.write(async tx => {
      await tx.deleteFrom('core_erasures').where('day', '<', day).execute()
      await tx
        .insertInto('core_erasures')
        .values({ mark: erasedMark(did), day, times: 1 })
        .onConflict(conflict =>
          conflict.column('mark').doUpdateSet({
            times: sql<number>`case when core_erasures.day = excluded.day then core_erasures.times + 1 else 1 end`,
            day,
          }),
        )
        .execute()
    }, rowByRow)
  },
})
