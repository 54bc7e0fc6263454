import type { Storage } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import type { CoreTables } from './core-tables.ts'

/** Whether a turn runs; nobody ends it before this transaction is over. */
export const holdRunning = async (
  tx: Transaction<CoreTables>,
  engine: Storage['engine'],
  turnId: string,
): Promise<boolean> => {
  const turn = tx.selectFrom('core_turns').select('id').where('id', '=', turnId).where('status', '=', 'running')
  return (await (engine === 'postgres' ? turn.forShare() : turn).executeTakeFirst()) !== undefined
}
