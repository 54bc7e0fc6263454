import type { Logger } from '@sibyl/plugin'
import { resealTables, type SealedTable, type Vault } from '@sibyl/plugin/sealing'
import { openPhone, sealPhone } from '../customers/create-phones.ts'
import { replaceCustomer, resealCustomer } from '../customers/customer-row.ts'
import { type AttemptSubject, type Lockout, whoPlace } from '../customers/lockout.ts'
import { resealAction } from '../operators/action-row.ts'
import { openPerson, sealPerson } from '../people/phone-people.ts'
import type { Chore } from '../storage/upkeep.ts'
import type { UssdStorage, WriteTransaction } from '../storage/ussd-tables.ts'
import { keyUsage } from './key-usage.ts'

/** What the tables of this room rest on. */
export interface SealedCustomersParts {
  readonly storage: UssdStorage
  readonly vault: Vault
  readonly lockout: Lockout
}

/** The tables of this room, for sealing them anew with the key of now. */
export const sealedCustomers = ({
  storage,
  vault,
  lockout,
}: SealedCustomersParts): readonly SealedTable<WriteTransaction>[] => {
  const earlier = vault.keyIds.slice(1)
  return [
    {
      name: 'ussd_customers',
      async rowsUnderEarlierKeys(after, limit) {
        const rows = await storage.read
          .selectFrom('ussd_customers')
          .selectAll()
          .where('key_id', 'in', earlier)
          .where('id', '>', after)
          .orderBy('id')
          .limit(limit)
          .execute()
        return rows.map(row => ({
          id: row.id,
          reseal: tx => replaceCustomer(tx, row, resealCustomer(vault, row)),
        }))
      },
    },
    {
      name: 'ussd_phones',
      async rowsUnderEarlierKeys(after, limit) {
        const rows = await storage.read
          .selectFrom('ussd_phones')
          .selectAll()
          .where('key_id', 'in', earlier)
          .where('phone_hash', '>', after)
          .orderBy('phone_hash')
          .limit(limit)
          .execute()
        return rows.map(row => ({
          id: row.phone_hash,
          async reseal(tx) {
            const sealed = sealPhone(vault, openPhone(vault, row), row.language, row.updated_at)
            const { numDeletedRows } = await tx
              .deleteFrom('ussd_phones')
              .where('phone_hash', '=', row.phone_hash)
              .where('updated_at', '=', row.updated_at)
              .executeTakeFirst()
            if (numDeletedRows === 0n) return
            await tx
              .insertInto('ussd_phones')
              .values(sealed)
              .onConflict(conflict => conflict.column('phone_hash').doNothing())
              .execute()
          },
        }))
      },
    },
    {
      name: 'ussd_people',
      async rowsUnderEarlierKeys(after, limit) {
        const rows = await storage.read
          .selectFrom('ussd_people')
          .selectAll()
          .where('key_id', 'in', earlier)
          .where('did', '>', after)
          .orderBy('did')
          .limit(limit)
          .execute()
        return rows.map(row => ({
          id: row.did,
          async reseal(tx) {
            const { phone, key_id } = row.phone === '' ? row : sealPerson(vault, row.did, openPerson(vault, row))
            await tx
              .updateTable('ussd_people')
              .set({ phone, key_id: row.phone === '' ? vault.keyIds[0] : key_id })
              .where('did', '=', row.did)
              .where('phone', '=', row.phone)
              .execute()
          },
        }))
      },
    },
    {
      name: 'ussd_attempts',
      async rowsUnderEarlierKeys(after, limit) {
        const rows = await storage.read
          .selectFrom('ussd_attempts')
          .select(['subject', 'who'])
          .where('key_id', 'in', earlier)
          .where('subject', '>', after)
          .orderBy('subject')
          .limit(limit)
          .execute()
        return rows.map(({ subject, who }) => ({
          id: subject,
          reseal: tx => lockout.keepUnderKeyOfNow(tx, JSON.parse(vault.open(who, whoPlace(subject))) as AttemptSubject),
        }))
      },
    },
    {
      name: 'ussd_actions',
      async rowsUnderEarlierKeys(after, limit) {
        const rows = await storage.read
          .selectFrom('ussd_actions')
          .selectAll()
          .where('key_id', 'in', earlier)
          .where('id', '>', after)
          .orderBy('id')
          .limit(limit)
          .execute()
        return rows.map(row => ({ id: row.id, reseal: tx => resealAction(tx, vault, row) }))
      },
    },
  ]
}

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
