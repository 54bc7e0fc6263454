import type { Clock } from '@sibyl/plugin'
import type { Vault } from '@sibyl/plugin/sealing'
import { ussdErrors } from '../errors/ussd-errors.ts'
import { isSameSecret } from '../requests/same-secret.ts'
import type { UssdStorage, WriteTransaction } from '../storage/ussd-tables.ts'
import type { NotePhone } from './create-phones.ts'
import { randomCustomerId } from './customer-id.ts'
import {
  type CustomerRow,
  openCustomer,
  openPin,
  pinMark,
  replaceCustomer,
  resealCustomer,
  sealCustomer,
} from './customer-row.ts'
import type { Customer, Customers, PinVerdict } from './customers.ts'
import { type AttemptSubject, type Lockout, pinRule } from './lockout.ts'
import { type PinViolation, pinViolation } from './pin-rules.ts'
import { codeSubjects, type ResetCodes } from './reset-codes.ts'

export interface CustomersDependencies {
  readonly storage: UssdStorage
  readonly vault: Vault
  readonly clock: Clock
  readonly lockout: Lockout
  readonly resetCodes: ResetCodes
  readonly note?: NotePhone
  /** Draws the ids of new customers. @default nine random digits, the last one a check digit */
  readonly drawId?: () => string
}

/** Returns the subjects that wrong PINs are counted for: the account and, of the phone, the part for this account. */
const pinSubjects = (customerId: string, phoneNumber: string): readonly AttemptSubject[] => [
  { purpose: 'pin-account', value: customerId },
  { purpose: 'pin-phone', value: phoneNumber, part: customerId },
]

export const accountSubjects = (customerId: string, phoneNumber: string): readonly AttemptSubject[] => [
  ...pinSubjects(customerId, phoneNumber),
  ...codeSubjects(customerId, phoneNumber),
]

/** Maximum number of draws for an ID that is unused and does not begin with the PIN. */
const maxDraws = 50

export const createCustomers = (dependencies: CustomersDependencies): Customers => {
  const { storage, vault, clock, lockout, resetCodes, note, drawId = randomCustomerId } = dependencies
  const decoy = sealCustomer(vault, decoyCustomer, '000000', null)

  const rowOf = (customerId: string): Promise<CustomerRow | undefined> =>
    storage.read.selectFrom('ussd_customers').selectAll().where('id', '=', customerId).executeTakeFirst()

  const freeId = async (pin: string): Promise<string> => {
    for (let draws = 0; draws < maxDraws; draws++) {
      const id = drawId()
      if (pinViolation(pin, { customerId: id }) === undefined && !(await rowOf(id))) return id
    }
    throw ussdErrors.customer_id_taken()
  }

  return {
    async draft({ name, email, pin, phoneNumber }) {
      refusePin(pinViolation(pin, { phoneNumber }))
      const id = await freeId(pin)
      const customer: Customer = { id, name, email, phoneNumber, createdAt: clock.now() }
      const row = sealCustomer(vault, customer, pin, null)
      const writeNote = note?.(phoneNumber)
      return {
        customer,
        async write(tx) {
          await insert(tx, row)
          await writeNote?.(tx)
        },
      }
    },

    async checkPin({ customerId, pin, phoneNumber }) {
      const reservation = await lockout.reserve(pinRule, pinSubjects(customerId, phoneNumber))
      if (reservation.kind === 'locked') return locked(reservation.leftMs)
      const row = await rowOf(customerId)
      const isRight = isSameSecret(pin, openPin(vault, row ?? decoy))
      const isOver = row !== undefined && row.pin_until !== null && row.pin_until <= clock.now()
      if (row === undefined || !isRight || isOver) {
        return reservation.locksMs > 0 ? locked(reservation.locksMs) : { kind: 'wrong' }
      }
      const customer = openCustomer(vault, row)
      const resealed = row.key_id === vault.keyIds[0] ? undefined : resealCustomer(vault, row)
      await storage.write(async tx => {
        await reservation.forgive(tx)
        if (resealed) await replaceCustomer(tx, row, resealed)
      })
      return { kind: row.pin_until === null ? 'right' : 'must-change', customer, pinMark: pinMark(resealed ?? row) }
    },

    async find(customerId) {
      const row = await rowOf(customerId)
      return row && openCustomer(vault, row)
    },

    async changePin(customerId, pin, checked) {
      const row = await rowOf(customerId)
      if (!row) throw ussdErrors.customer_not_found()
      if (checked !== undefined && checked !== pinMark(row)) throw ussdErrors.pin_outdated()
      const customer = openCustomer(vault, row)
      refusePin(pinViolation(pin, { phoneNumber: customer.phoneNumber, customerId }))
      if (isSameSecret(pin, openPin(vault, row))) throw ussdErrors.pin_unchanged({ facts: { fault: 'same' } })
      const { id, ...changed } = sealCustomer(vault, customer, pin, null)
      return {
        async write(tx) {
          const updated = await tx
            .updateTable('ussd_customers')
            .set(changed)
            .where(eb => eb.and({ id, pin: row.pin }))
            .returning('id')
            .executeTakeFirst()
          if (!updated) throw ussdErrors.pin_outdated()
        },
      }
    },

    async sendResetCode({ customerId, phoneNumber }) {
      const row = await rowOf(customerId)
      const customer = openCustomer(vault, row ?? decoy)
      return resetCodes.send({ customerId, phoneNumber, sendTo: row && customer.phoneNumber })
    },

    async checkResetCode({ customerId, code, phoneNumber }) {
      const row = await rowOf(customerId)
      const customer = openCustomer(vault, row ?? decoy)
      const isRight = await resetCodes.redeem(customerId, code, tx =>
        lockout.unlock(tx, accountSubjects(customerId, phoneNumber)),
      )
      return isRight && row ? { kind: 'must-change', customer, pinMark: pinMark(row) } : { kind: 'wrong' }
    },

    pinViolation,
  }
}

/** @throws `pin_weak` for an invalid or weak PIN */
const refusePin = (violation: PinViolation | undefined): void => {
  if (violation === undefined) return
  throw violation === 'form'
    ? ussdErrors.pin_form({ facts: { fault: violation } })
    : ussdErrors.pin_weak({ facts: { fault: violation } })
}

/** Decrypted for an unknown customer, so that the time is the same. */
const decoyCustomer: Customer = { id: '0', name: '', email: undefined, phoneNumber: '', createdAt: 0 }

const locked = (leftMs: number): PinVerdict => ({ kind: 'locked', minutes: Math.ceil(leftMs / 60_000) })

/** Inserts a row unless it exists, as after a commit whose response was lost. */
const insert = async (tx: WriteTransaction, row: CustomerRow): Promise<void> => {
  const inserted = await tx
    .insertInto('ussd_customers')
    .values(row)
    .onConflict(conflict => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted) return
  const there = await tx.selectFrom('ussd_customers').select('pin').where('id', '=', row.id).executeTakeFirst()
  if (there?.pin !== row.pin) throw ussdErrors.customer_id_taken()
}
