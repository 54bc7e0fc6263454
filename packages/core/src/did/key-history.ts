import type { OracleKey } from '@sibyl/plugin/host'
import type { Storage } from '@sibyl/storage'
import type { CoreTables } from '../database/core-tables.ts'

/** Creates the history on the storage of the app. */
export const createKeyHistory = (storage: Pick<Storage<CoreTables>, 'read' | 'write'>) => {
  const list = async (prefix = 'did:key:') => {
    const all = storage.read.selectFrom('core_keys').selectAll().where('did', 'like', `${prefix}%`)
    const rows = await all.orderBy('since').orderBy('did').execute()
    return rows.map(({ did, since, until }) => ({ did, since, ...(until === null ? {} : { until }) }))
  }
  return {
    /** Returns all signing keys, oldest first. */
    list: (): Promise<readonly OracleKey[]> => list(),
    /**
     * Records the signing key or the public DID at boot. A previous one may become current again.
     *
     * @returns the previous one of its method, if it differs
     */
    async record(did: string, now: number): Promise<string | undefined> {
      const prefix = did.slice(0, 'did:key:'.length)
      const inUse = (await list(prefix)).filter(({ until }) => until === undefined)
      if (inUse.length === 1 && inUse[0]?.did === did) return undefined
      await storage.write(async tx => {
        await tx
          .updateTable('core_keys')
          .set({ until: now })
          .where('did', '!=', did)
          .where('did', 'like', `${prefix}%`)
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

/** The signing keys and the public DIDs of an oracle over time, shared by all processes of the database. */
export type KeyHistory = ReturnType<typeof createKeyHistory>
