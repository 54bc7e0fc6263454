import { randomInt } from 'node:crypto'
import type { Vault } from '@sibyl/plugin/sealing'
import type { actionTable, RowOf, WriteTransaction } from '../storage/ussd-tables.ts'

/** A request of an operator as the database holds it. */
export type ActionRow = RowOf<typeof actionTable>

/** Kinds of requests of operators. */
export type ActionKind = 'reset' | 'unlock' | 'erase' | 'export'

/** Request of an operator: who asked, why, and about whom. Stored sealed. */
export interface ActionDetails {
  readonly operator: string
  readonly reason?: string
  readonly confirmedBy?: string
  readonly customerId?: string
  readonly phoneNumber?: string
}

const detailsPlace = (id: string): string => `ussd_actions.details:${id}`

/** Returns the hashes by which requests about a phone are found. */
export const actionPhoneHashes = (vault: Vault, phoneNumber: string): readonly [string, ...string[]] =>
  vault.lookupHashes(phoneNumber, 'ussd_actions.phone')

/** Returns the hashes of a confirmation, the one of the current key first. */
export const confirmationHashes = (vault: Vault, id: string, confirmation: string): readonly [string, ...string[]] =>
  vault.lookupHashes(`${id} ${confirmation}`, 'ussd_actions.confirmation')

/** Seals the details for the row of that id. */
export const sealDetails = (
  vault: Vault,
  id: string,
  details: ActionDetails,
): Pick<ActionRow, 'details' | 'phone_hash' | 'key_id'> => ({
  details: vault.seal(JSON.stringify(details), detailsPlace(id)),
  phone_hash: details.phoneNumber === undefined ? null : actionPhoneHashes(vault, details.phoneNumber)[0],
  key_id: vault.keyIds[0],
})

/** Opens the details of a row. Throws `seal_broken` where it is not as it was written. */
export const openDetails = (vault: Vault, { id, details }: Pick<ActionRow, 'id' | 'details'>): ActionDetails =>
  JSON.parse(vault.open(details, detailsPlace(id))) as ActionDetails

/** Seals a row again with the current key, unless it has changed since it was read. Throws `seal_broken`. */
export const resealAction = async (tx: WriteTransaction, vault: Vault, row: ActionRow): Promise<void> => {
  await tx
    .updateTable('ussd_actions')
    .set(sealDetails(vault, row.id, openDetails(vault, row)))
    .where('id', '=', row.id)
    .where('details', '=', row.details)
    .execute()
}

const consonants = 'bdfgklmnprstvz'
const vowels = 'aeiou'

/** Draws a word of four syllables that can be read out and typed: `tilomera`. */
export const confirmationWord = (): string =>
  Array.from(
    { length: 4 },
    () => `${consonants[randomInt(consonants.length)]}${vowels[randomInt(vowels.length)]}`,
  ).join('')
