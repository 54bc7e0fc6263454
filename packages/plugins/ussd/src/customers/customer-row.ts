import { hash } from 'node:crypto'
import type { Vault } from '@sibyl/plugin/sealing'
import type { customerTable, RowOf, WriteTransaction } from '../storage/ussd-tables.ts'
import type { Customer } from './customers.ts'

export type CustomerRow = RowOf<typeof customerTable>

const phonePurpose = 'ussd_customers.phone'

const profilePlace = (id: string): string => `ussd_customers.profile:${id}`
const pinPlace = (id: string): string => `ussd_customers.pin:${id}`

export const customerPhoneHashes = (vault: Vault, phoneNumber: string): readonly [string, ...string[]] =>
  vault.lookupHashes(phoneNumber, phonePurpose)

/**
 * Seals a customer for the row with that ID. `pinUntil` ends a one-time PIN; it is null for a PIN that the customer
 * chose.
 */
export const sealCustomer = (vault: Vault, customer: Customer, pin: string, pinUntil: number | null): CustomerRow => {
  const { id, name, email, phoneNumber, createdAt } = customer
  return {
    id,
    phone_hash: customerPhoneHashes(vault, phoneNumber)[0],
    profile: vault.seal(JSON.stringify({ name, email, phoneNumber }), profilePlace(id)),
    pin: vault.seal(pin, pinPlace(id)),
    pin_until: pinUntil,
    created_at: createdAt,
    key_id: vault.keyIds[0],
  }
}

export const openCustomer = (vault: Vault, row: Pick<CustomerRow, 'id' | 'profile' | 'created_at'>): Customer => {
  const profile = JSON.parse(vault.open(row.profile, profilePlace(row.id))) as {
    name: string
    email?: string
    phoneNumber: string
  }
  return {
    id: row.id,
    name: profile.name,
    email: profile.email,
    phoneNumber: profile.phoneNumber,
    createdAt: row.created_at,
  }
}

export const openPin = (vault: Vault, row: Pick<CustomerRow, 'id' | 'pin'>): string =>
  vault.open(row.pin, pinPlace(row.id))

export const resealCustomer = (vault: Vault, row: CustomerRow): CustomerRow =>
  sealCustomer(vault, openCustomer(vault, row), openPin(vault, row), row.pin_until)

/** Replaces a row that was read, unless it has changed since. */
export const replaceCustomer = async (tx: WriteTransaction, read: CustomerRow, row: CustomerRow): Promise<void> => {
  await tx
    .updateTable('ussd_customers')
    .set(row)
    .where(eb => eb.and({ id: read.id, pin: read.pin, profile: read.profile }))
    .execute()
}

/** Returns a fingerprint of a sealed PIN, which changes with it and reveals nothing of it. */
export const pinMark = ({ pin }: Pick<CustomerRow, 'pin'>): string => hash('sha256', pin, 'base64url').slice(0, 22)
