import type { PersonalData } from '@sibyl/plugin'
import type { WriteTransaction } from '../storage/ussd-tables.ts'

/** One kind of records of a phone and its users. */
export interface PhoneRecords {
  readonly name: string
  /** Returns all stored data in readable form, without PINs and other secrets. */
  export(phoneNumber: string): Promise<PersonalData>
  /** Prepares the erasure; the returned function runs in one transaction with those of the other records. */
  erase(phoneNumber: string): Promise<(tx: WriteTransaction) => Promise<void>>
}

/** Returns all stored data of a phone, by the names of the records. */
export const exportRecords = async (records: readonly PhoneRecords[], phoneNumber: string) => {
  const parts: Record<string, PersonalData> = {}
  for (const { name, export: read } of records) parts[name] = await read(phoneNumber)
  return parts
}

/** Prepares the erasure of all records of a phone in one transaction. */
export const prepareErasure = async (records: readonly PhoneRecords[], phoneNumber: string) => {
  const erasures = await Promise.all(records.map(({ erase }) => erase(phoneNumber)))
  return async (tx: WriteTransaction): Promise<void> => {
    for (const erase of erasures) await erase(tx)
  }
}
