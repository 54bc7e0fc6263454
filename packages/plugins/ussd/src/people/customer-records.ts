import type { Vault } from '@sibyl/plugin/sealing'
import { accountSubjects } from '../customers/create-customers.ts'
import { phoneHashes } from '../customers/create-phones.ts'
import { customerPhoneHashes, openCustomer } from '../customers/customer-row.ts'
import { type AttemptSubject, type Lockout, pinRule } from '../customers/lockout.ts'
import { resetCodeSubjects } from '../customers/reset-codes.ts'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import { inParts } from '../storage/value-lists.ts'
import type { PhoneRecords } from './phone-records.ts'

/** Returns the records of a phone's customers, and of the phone: its language and locks. */
export const customerRecords = (storage: UssdStorage, vault: Vault, lockout: Lockout): readonly PhoneRecords[] => {
  const customerRows = (database: UssdStorage['read'], phoneNumber: string) =>
    database
      .selectFrom('ussd_customers')
      .selectAll()
      .where('phone_hash', 'in', customerPhoneHashes(vault, phoneNumber))
      .orderBy('created_at')
      .execute()

  return [
    {
      name: 'customers',
      async export(phoneNumber) {
        const rows = await customerRows(storage.read, phoneNumber)
        return rows.map(row => {
          const { id, name, email, createdAt } = openCustomer(vault, row)
          return { id, name, email: email ?? null, createdAt: new Date(createdAt).toISOString() }
        })
      },
      async erase(phoneNumber) {
        return async tx => {
          const ids = (await customerRows(tx, phoneNumber)).map(({ id }) => id)
          for (const some of inParts(ids)) {
            const codes = some.flatMap(id => resetCodeSubjects(vault, id))
            await tx.deleteFrom('ussd_customers').where('id', 'in', some).execute()
            await tx.deleteFrom('ussd_reset_codes').where('subject', 'in', codes).execute()
            await lockout.forget(
              tx,
              some.flatMap(id => accountSubjects(id, phoneNumber)),
            )
          }
        }
      },
    },
    {
      name: 'phone',
      async export(phoneNumber) {
        const row = await storage.read
          .selectFrom('ussd_phones')
          .select(['language', 'updated_at'])
          .where('phone_hash', 'in', phoneHashes(vault, phoneNumber))
          .orderBy('updated_at', 'desc')
          .executeTakeFirst()
        const leftMs = await lockout.leftMs(pinRule, phoneSubjects(phoneNumber).slice(0, 1))
        return { phoneNumber, language: row?.language ?? null, lockedForMinutes: Math.ceil(leftMs / 60_000) }
      },
      async erase(phoneNumber) {
        return async tx => {
          await tx.deleteFrom('ussd_phones').where('phone_hash', 'in', phoneHashes(vault, phoneNumber)).execute()
          await lockout.forget(tx, phoneSubjects(phoneNumber))
        }
      },
    },
  ]
}

/** Returns the subjects that count all attempts of a phone. */
export const phoneSubjects = (phoneNumber: string): readonly AttemptSubject[] => [
  { purpose: 'pin-phone', value: phoneNumber },
  { purpose: 'code-phone', value: phoneNumber },
]
