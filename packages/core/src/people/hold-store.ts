import type { Storage } from '@sibyl/storage'
import type { CoreRow, CoreTables } from '../database/core-tables.ts'

export type Hold = CoreRow<'core_holds'>

/** The newest holds of a person that are listed. */
const maxListed = 100

/** Creates the store of legal holds. */
export const createHoldStore = (storage: Pick<Storage<CoreTables>, 'read' | 'write'>) => ({
  async isHeld(did: string): Promise<boolean> {
    const [held] = await storage.read
      .selectFrom('core_holds')
      .select('did')
      .where('did', '=', did)
      .where('released_at', 'is', null)
      .execute()
    return held !== undefined
  },
  /** Returns the current and released holds of a person, the newest first. */
  list: (did: string): Promise<readonly Hold[]> =>
    storage.read
      .selectFrom('core_holds')
      .selectAll()
      .where('did', '=', did)
      .orderBy('id', 'desc')
      .limit(maxListed)
      .execute(),
  /** Places a hold, or returns the one that the person has. */
  place: (hold: Pick<Hold, 'did' | 'reason' | 'held_by' | 'held_at'>): Promise<Hold> =>
    storage.write(async tx => {
      await tx
        .insertInto('core_holds')
        .values(hold)
        .onConflict(conflict => conflict.doNothing())
        .execute()
      return tx
        .selectFrom('core_holds')
        .selectAll()
        .where('did', '=', hold.did)
        .where('released_at', 'is', null)
        .executeTakeFirstOrThrow()
    }),
  /** Releases the hold of a person; false without one. */
  release: (did: string, by: string, now: number): Promise<boolean> =>
    storage.write(async tx => {
      const { numUpdatedRows } = await tx
        .updateTable('core_holds')
        .set({ released_at: now, released_by: by })
        .where('did', '=', did)
        .where('released_at', 'is', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    }),
})

/** Legal holds: while a person has one, no retention and no erasure deletes their rows. */
export type HoldStore = ReturnType<typeof createHoldStore>
