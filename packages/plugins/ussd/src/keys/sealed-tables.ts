import type { Logger, Table } from '@sibyl/plugin'
import { resealTables, type SealedTable, type Vault } from '@sibyl/plugin/sealing'
import { sql } from '@sibyl/plugin/storage'
import { openPhone, sealPhone } from '../customers/create-phones.ts'
import { replaceCustomer, resealCustomer } from '../customers/customer-row.ts'
import { type AttemptSubject, type Lockout, whoPlace } from '../customers/lockout.ts'
import { resealAction } from '../operators/action-row.ts'
import { openPerson, sealPerson } from '../people/phone-people.ts'
import {
  actionTable,
  attemptTable,
  customerTable,
  personTable,
  phoneTable,
  type RowOf,
  type UssdStorage,
  type WriteTransaction,
} from '../storage/ussd-tables.ts'
import { keyUsage } from './keys-route.ts'

/** Returns the tables whose rows are sealed again with the current key. */
export const sealedTables = (
  storage: UssdStorage,
  vault: Vault,
  lockout: Lockout,
): readonly SealedTable<WriteTransaction>[] => {
  const tableOf = <Defined extends Table>(
    { name }: Defined,
    key: keyof RowOf<Defined> & string,
    reseal: (tx: WriteTransaction, row: RowOf<Defined>) => Promise<void>,
  ): SealedTable<WriteTransaction> => ({
    name,
    async rowsUnderEarlierKeys(after, limit) {
      const id = sql.ref(key)
      const { rows } = await sql<RowOf<Defined>>`
        select * from ${sql.table(name)} where key_id in (${sql.join(vault.keyIds.slice(1))}) and ${id} > ${after}
        order by ${id} limit ${limit}`.execute(storage.read)
      return rows.map(row => ({ id: String(row[key]), reseal: tx => reseal(tx, row) }))
    },
  })
  return [
    tableOf(customerTable, 'id', (tx, row) => replaceCustomer(tx, row, resealCustomer(vault, row))),
    tableOf(phoneTable, 'phone_hash', async (tx, row) => {
      const sealed = sealPhone(vault, openPhone(vault, row), row.language, row.updated_at)
      const { numDeletedRows } = await tx
        .deleteFrom('ussd_phones')
        .where(eb => eb.and({ phone_hash: row.phone_hash, updated_at: row.updated_at }))
        .executeTakeFirst()
      if (numDeletedRows === 0n) return
      await tx
        .insertInto('ussd_phones')
        .values(sealed)
        .onConflict(conflict => conflict.column('phone_hash').doNothing())
        .execute()
    }),
    tableOf(personTable, 'did', async (tx, row) => {
      const { phone, key_id } = row.phone === '' ? row : sealPerson(vault, row.did, openPerson(vault, row))
      await tx
        .updateTable('ussd_people')
        .set({ phone, key_id: row.phone === '' ? vault.keyIds[0] : key_id })
        .where(eb => eb.and({ did: row.did, phone: row.phone }))
        .execute()
    }),
    tableOf(attemptTable, 'subject', (tx, { subject, who }) =>
      lockout.moveToCurrentKey(tx, JSON.parse(vault.open(who, whoPlace(subject))) as AttemptSubject),
    ),
    tableOf(actionTable, 'id', (tx, row) => resealAction(tx, vault, row)),
  ]
}

/**
 * Seals rows of earlier keys again, and logs the number of remaining rows per key; does nothing without earlier keys.
 */
export const resealRows = async (
  storage: UssdStorage,
  vault: Vault,
  tables: readonly SealedTable<WriteTransaction>[],
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> => {
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
