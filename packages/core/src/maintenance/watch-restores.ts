import type { Clock, Logger } from '@sibyl/plugin'
import { openRestoreWatch, type RestoreWatch, type Storage } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import type { CoreTables } from '../database/core-tables.ts'

/** The notice to the operator after a restore. */
export const restoredText = 'the database was restored from a backup or moved: later revocations are lost; repeat them'

/**
 * Creates the watch for restored backups. A restored database has no record of recently spent invocations, so those
 * that could have been spent are rejected; its bearers are deleted, because their revocations may be lost.
 */
export const watchRestores = async (
  storage: Pick<Storage, 'copyMark' | 'for' | 'migrate'>,
  clock: Clock,
  log: Logger,
): Promise<RestoreWatch> => {
  return await openRestoreWatch({
    storage,
    clock,
    async onRestored(untyped) {
      const tx = untyped as unknown as Transaction<CoreTables>
      await tx.deleteFrom('core_bearers').execute()
      log.warn(restoredText)
    },
  })
}
