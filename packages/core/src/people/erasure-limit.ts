import { erasedMark, nextUtcDay, utcDay } from '@sibyl/plugin'
import { type Storage, sql } from '@sibyl/storage'
import { type CoreTables, rowByRow } from '../database/core-tables.ts'

/** Maximum erasures of a person in a UTC day: each resets daily limits. */
const maxInDay = 3

/** Creates the limit on the storage of the app. */
export const createErasureLimit = (storage: Pick<Storage<CoreTables>, 'read' | 'write'>, now: () => number) => ({
  /** Returns the seconds until a person may erase again; undefined if they may now. */
  async waitSeconds(did: string): Promise<number | undefined> {
    const at = now()
    const row = await storage.read
      .selectFrom('core_erasures')
      .select('times')
      .where(eb => eb.and({ mark: erasedMark(did), day: utcDay(at) }))
      .executeTakeFirst()
    return row && row.times >= maxInDay ? Math.ceil((nextUtcDay(at) - at) / 1000) : undefined
  },
  /** Counts a successful erasure. */
  async count(did: string): Promise<void> {
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

/** Limits the erasures that users request for themselves; those of an operator do not count. */
export type ErasureLimit = ReturnType<typeof createErasureLimit>
