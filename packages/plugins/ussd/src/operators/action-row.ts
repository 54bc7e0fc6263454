import { randomInt } from 'node:crypto'
import type { Vault } from '@sibyl/plugin/sealing'
import type { PhoneRecords } from '../people/phone-records.ts'
import type { actionTable, RowOf, UssdStorage, WriteTransaction } from '../storage/ussd-tables.ts'

export type ActionRow = RowOf<typeof actionTable>

export type ActionKind = 'reset' | 'unlock' | 'erase' | 'export'

/** Request of an operator: who, why, and about whom. Stored sealed. */
export interface ActionDetails {
  readonly operator: string
  readonly reason?: string
  readonly confirmedBy?: string | undefined
  readonly customerId?: string
  readonly phoneNumber?: string
}

const detailsPlace = (id: string): string => `ussd_actions.details:${id}`

const actionPhoneHashes = (vault: Vault, phoneNumber: string): readonly [string, ...string[]] =>
  vault.lookupHashes(phoneNumber, 'ussd_actions.phone')

/** Returns the hashes of a confirmation, the one of the current key first. */
export const confirmationHashes = (vault: Vault, id: string, confirmation: string): readonly [string, ...string[]] =>
  vault.lookupHashes(`${id} ${confirmation}`, 'ussd_actions.confirmation')

export const sealDetails = (
  vault: Vault,
  id: string,
  details: ActionDetails,
): Pick<ActionRow, 'details' | 'phone_hash' | 'key_id'> => ({
  details: vault.seal(JSON.stringify(details), detailsPlace(id)),
  phone_hash: details.phoneNumber === undefined ? null : actionPhoneHashes(vault, details.phoneNumber)[0],
  key_id: vault.keyIds[0],
})

export const openDetails = (vault: Vault, { id, details }: Pick<ActionRow, 'id' | 'details'>): ActionDetails =>
  JSON.parse(vault.open(details, detailsPlace(id))) as ActionDetails

/** Seals a row again with the current key, unless it has changed since it was read. Throws `seal_broken`. */
export const resealAction = async (tx: WriteTransaction, vault: Vault, row: ActionRow): Promise<void> => {
  await tx
    .updateTable('ussd_actions')
    .set(sealDetails(vault, row.id, openDetails(vault, row)))
    .where(eb => eb.and({ id: row.id, details: row.details }))
    .execute()
}

const consonants = 'bdfgklmnprstvz'
const vowels = 'aeiou'

/** Returns a random word of four syllables that is easy to read out and type: `tilomera`. */
export const confirmationWord = (): string =>
  Array.from(
    { length: 4 },
    () => `${consonants[randomInt(consonants.length)]}${vowels[randomInt(vowels.length)]}`,
  ).join('')

/** Returns the operator requests about a phone. An erasure keeps the operator, without the reason and the subject. */
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
          const kept = sealDetails(vault, row.id, { operator, confirmedBy })
          await tx.updateTable('ussd_actions').set(kept).where('id', '=', row.id).execute()
        }
      }
    },
  }
}
