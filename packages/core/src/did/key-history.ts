import type { OracleKey } from '@sibyl/plugin'
import type { Storage } from '@sibyl/storage'
import type { KeyHistoryTables } from '../database/key-history-tables.ts'

/** The keys of an oracle over time. What one process records, all processes on the database see. */
export interface KeyHistory {
  /**
   * Records at boot that the oracle signs with this key from now on. A key that comes back is in use again.
   *
   * @returns the key that was in use before, where it is another one
   */
  record(did: string, now: number): Promise<string | undefined>
  /** All keys, the first one first. */
  list(): Promise<readonly OracleKey[]>
}

/** Makes the history on the app's storage. */
export const createKeyHistory = (storage: Pick<Storage<KeyHistoryTables>, 'read' | 'write'>): KeyHistory => {
  const list = async () => {
    const rows = await storage.read.selectFrom('core_keys').selectAll().orderBy('since').orderBy('did').execute()
    return rows.map(({ did, since, until }) => ({ did, since, ...(until === null ? {} : { until }) }))
  }
  return {
    list,
    async record(did, now) {
      const inUse = (await list()).filter(({ until }) => until === undefined)
      if (inUse.length === 1 && inUse[0]?.did === did) return undefined
      await storage.write(async tx => {
        await tx
          .updateTable('core_keys')
          .set({ until: now })
          .where('did', '!=', did)
          .where('until', 'is', null)
          .execute()
        await tx
          .insertInto('core_keys')
          .values({ did, since: now, until: null })
          .onConflict(conflict => conflict.column('did').doUpdateSet({ until: null }))
          .execute()
      })
      return inUse.findLast(key => key.did !== did)?.did
    },
  }
}
