import type { Host, Logger } from '@sibyl/plugin'
import { resealTables, SealBrokenError, type SealedTable } from '@sibyl/plugin/sealing'
import { z } from 'zod'
import type { SmsStorage, SmsTransaction } from '../definitions/sms-tables.ts'
import type { NumberTable, SealedNumbers } from './sealed-numbers.ts'

export interface SealNumbersDependencies {
  readonly storage: SmsStorage
  readonly jobs: Host['jobs']
  readonly log: Pick<Logger, 'info' | 'error'>
  readonly numbers: SealedNumbers
}

const sealJob = 'sms/seal-numbers'

/** Tables with phone numbers: their keys, and whether they also have a hash of the number. */
const tables = [
  { table: 'sms_messages', key: 'id', hashed: true },
  { table: 'sms_inbound', key: 'id', hashed: false },
  { table: 'sms_phones', key: 'did', hashed: false },
  { table: 'sms_links', key: 'id', hashed: true },
  { table: 'sms_early_reports', key: 'provider_id', hashed: true },
] as const satisfies readonly { table: NumberTable; key: string; hashed: boolean }[]

/**
 * Encrypts, once after each start and in the background, unencrypted numbers and numbers under earlier keys. A number
 * under a missing key does not change.
 */
export const sealNumbers = async (dependencies: SealNumbersDependencies): Promise<void> => {
  const { storage, jobs, log, numbers } = dependencies
  jobs.define(
    sealJob,
    z.object({}),
    async (_data, { signal }) => {
      // Overwritten, so that no free page of the database contains an old number.
      const scrubbed = {
        write: <Result>(work: (tx: SmsTransaction) => Promise<Result>) => storage.write(work, { scrub: true }),
      }
      const { resealed, broken } = await resealTables(scrubbed, sealedTables(dependencies), signal)
      if (resealed > 0) log.info('phone numbers were encrypted with the current key', { resealed })
      if (broken > 0)
        log.error(`${broken} phone numbers cannot be decrypted: add their key to PIN_ENCRYPTION_OLD_KEYS`, {
          broken,
        })
    },
    { concurrency: 1, timeLimitMs: 3_000_000 },
  )
  if (numbers.vault) await jobs.enqueue(sealJob, {}, { dedupeKey: 'at-boot' })
}

const sealedTables = ({ storage, numbers }: SealNumbersDependencies): readonly SealedTable<SmsTransaction>[] =>
  tables.map(({ table, key, hashed }) => ({
    name: table,
    async rowsUnderEarlierKeys(after, limit) {
      const rows: readonly { readonly row: string; readonly phone: string }[] = await storage.read
        .selectFrom(table)
        .select(of => [of.ref(key as 'id').as('row'), 'phone'])
        .where(key as 'id', '>', after)
        .where('phone', '!=', '')
        .where('phone', 'not like', `v1.${numbers.vault?.keyIds[0]}.%`)
        .orderBy(key as 'id')
        .limit(limit)
        .execute()
      return rows.map(({ row, phone: stored }) => ({
        id: row,
        async reseal(tx: SmsTransaction) {
          const phone = numbers.open(stored, { table, row })
          if (phone === undefined) throw new SealBrokenError('unknown-key', `${table}.phone`)
          const sealed = { phone: numbers.seal(phone, { table, row }) }
          await tx
            .updateTable(table)
            .set(hashed ? { ...sealed, phone_hash: numbers.hash(phone) } : sealed)
            .where(key as 'id', '=', row)
            .where('phone', '=', stored)
            .execute()
        },
      }))
    },
  }))
