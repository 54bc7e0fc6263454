import type { Vault } from '@sibyl/plugin/sealing'
import type { PhoneRecords } from '../people/phone-records.ts'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import { actionPhoneHashes, openDetails, sealDetails } from './action-row.ts'

/** Returns what operators asked for about a phone. An erasure leaves who asked, without the reason and whom it was about. */
export const actionRecords = (storage: UssdStorage, vault: Vault): PhoneRecords => {
  const rowsOf = (database: UssdStorage['read'], phoneNumber: string) =>
    database
      .selectFrom('ussd_actions')
      .selectAll()
      .where('phone_hash', 'in', actionPhoneHashes(vault, phoneNumber))
      .orderBy('requested_at')
      .execute()

  return {
    name: 'operatorActions',
    async export(phoneNumber) {
      const rows = await rowsOf(storage.read, phoneNumber)
      return rows.map(row => ({
        kind: row.kind,
        requestedAt: new Date(row.requested_at).toISOString(),
        done: row.done_at !== null,
      }))
    },
    async erase(phoneNumber) {
      return async tx => {
        for (const row of await rowsOf(tx, phoneNumber)) {
          const { operator, confirmedBy } = openDetails(vault, row)
          const kept = sealDetails(vault, row.id, { operator, ...(confirmedBy === undefined ? {} : { confirmedBy }) })
          await tx.updateTable('ussd_actions').set(kept).where('id', '=', row.id).execute()
        }
      }
    },
  }
}
