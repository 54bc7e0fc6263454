import type { Clock } from '@sibyl/plugin'
import type { Vault } from '@sibyl/plugin/sealing'
import { TickBatch } from '@sibyl/plugin/storage'
import type { phoneTable, RowOf, UssdStorage, WriteTransaction } from '../storage/ussd-tables.ts'
import { among } from '../storage/value-lists.ts'
import type { Phones } from './customers.ts'

export type PhoneRow = RowOf<typeof phoneTable>

export const phoneHashes = (vault: Vault, phoneNumber: string): readonly [string, ...string[]] =>
  vault.lookupHashes(phoneNumber, 'ussd_phones.phone')

const phonePlace = (hash: string): string => `ussd_phones.phone:${hash}`

export const sealPhone = (vault: Vault, phoneNumber: string, language: string, updatedAt: number): PhoneRow => {
  const [hash] = phoneHashes(vault, phoneNumber)
  return {
    phone_hash: hash,
    phone: vault.seal(phoneNumber, phonePlace(hash)),
    language,
    updated_at: updatedAt,
    key_id: vault.keyIds[0],
  }
}

export const openPhone = (vault: Vault, row: Pick<PhoneRow, 'phone' | 'phone_hash'>): string =>
  vault.open(row.phone, phonePlace(row.phone_hash))

/** Prepares a note of the owner of stored data; the result runs in the transaction that stores it. */
export type NotePhone = (phoneNumber: string) => (tx: WriteTransaction) => Promise<void>

/** Creates the phones in the oracle's database. Concurrent reads of languages share one query. */
export const createPhones = (storage: UssdStorage, vault: Vault, clock: Clock, note?: NotePhone): Phones => {
  const languages = new TickBatch<string, string>(async hashes => {
    const rows = await storage.read
      .selectFrom('ussd_phones')
      .select(['phone_hash', 'language'])
      .where('phone_hash', 'in', among(storage.engine, hashes))
      .execute()
    return new Map(rows.map(row => [row.phone_hash, row.language]))
  })
  return {
    async language(phoneNumber) {
      const found = await Promise.all(phoneHashes(vault, phoneNumber).map(hash => languages.ask(hash)))
      return found.find(language => language !== undefined)
    },
    setLanguage(phoneNumber, language) {
      const { phone_hash, ...rest } = sealPhone(vault, phoneNumber, language, clock.now())
      const [, ...earlier] = phoneHashes(vault, phoneNumber)
      const writeNote = note?.(phoneNumber)
      return async tx => {
        await tx
          .insertInto('ussd_phones')
          .values({ phone_hash, ...rest })
          .onConflict(conflict => conflict.column('phone_hash').doUpdateSet(rest))
          .execute()
        if (earlier.length > 0) await tx.deleteFrom('ussd_phones').where('phone_hash', 'in', earlier).execute()
        await writeNote?.(tx)
      }
    },
  }
}
