import type { Logger } from '@sibyl/plugin'
import { resealTables, type SealedTable, type Vault } from '@sibyl/plugin/sealing'
import type { Chore } from '../storage/upkeep.ts'
import type { UssdStorage, WriteTransaction } from '../storage/ussd-tables.ts'
import { keyUsage } from './key-usage.ts'

/** What the upkeep of sealed rows rests on. */
export interface KeysChoreParts {
  readonly storage: UssdStorage
  readonly vault: Vault
  readonly log: Logger
  readonly tables: readonly SealedTable<WriteTransaction>[]
}

/** Seals anew what needs an earlier key, while there are earlier keys; the log then says how many rows still need which. */
export const keysChore =
  ({ storage, vault, log, tables }: KeysChoreParts): Chore =>
  async signal => {
    if (vault.keyIds.length === 1) return
    const { resealed, broken } = await resealTables(storage, tables, signal)
    if (broken > 0) log.error(`${broken} rows do not open and were left as they are`, { broken })
    for (const { id, state, rows } of await keyUsage(storage, vault)) {
      const count = Object.values(rows).reduce((sum, each) => sum + each, 0)
      if (state === 'missing') log.error(`${count} rows need the key ${id}, which is not there`, { keyId: id, count })
      if (state !== 'old') continue
      const free = `no row of this plugin needs the key ${id}: as far as it goes, the key can leave PIN_ENCRYPTION_OLD_KEYS`
      log.info(count === 0 ? free : `${count} rows still need the key ${id}`, { keyId: id, count, resealed })
    }
  }
