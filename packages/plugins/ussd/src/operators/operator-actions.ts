import { randomUUID } from 'node:crypto'
import type { Clock, PersonalData } from '@sibyl/plugin'
import { SealBrokenError, type Vault } from '@sibyl/plugin/sealing'
import { sql } from '@sibyl/plugin/storage'
import type { z } from 'zod'
import { accountSubjects } from '../customers/create-customers.ts'
import { customerPhoneHashes, openCustomer, sealCustomer } from '../customers/customer-row.ts'
import type { Customer } from '../customers/customers.ts'
import { clockToleranceMs, type Lockout } from '../customers/lockout.ts'
import { randomPin } from '../customers/pin-rules.ts'
import { ussdErrors } from '../errors/ussd-errors.ts'
import { phoneSubjects } from '../people/customer-records.ts'
import { exportRecords, type PhoneRecords, prepareErasure } from '../people/phone-records.ts'
import type { waitingAction } from '../records/customer-action-records.ts'
import { isSameSecret } from '../requests/same-secret.ts'
import type { UssdStorage, WriteTransaction } from '../storage/ussd-tables.ts'
import {
  type ActionDetails,
  type ActionKind,
  type ActionRow,
  confirmationHashes,
  confirmationWord,
  openDetails,
  sealDetails,
} from './action-row.ts'

/** Time limit of a confirmation, in milliseconds. */
const requestLifeMs = 900_000
const maxTries = 5
/** Validity of a one-time PIN, in milliseconds. */
const oneTimePinLifeMs = 3_600_000

export interface OperatorActionsDependencies {
  readonly storage: UssdStorage
  readonly vault: Vault
  readonly clock: Clock
  readonly lockout: Lockout
  readonly records: readonly PhoneRecords[]
}

/** Operator and reason of a request; both are recorded. */
export type OperatorNote = Required<Pick<ActionDetails, 'operator' | 'reason'>>

export type ActionTarget = { readonly customerId: string } | { readonly phoneNumber: string }

/** A request that waits for its confirmation. `expiresAt`: milliseconds since 1970. */
export type WaitingAction = Omit<z.output<typeof waitingAction>, 'expiresAt'> & { readonly expiresAt: number }

/** A recorded request; its subject is missing once that phone's records are erased. */
export interface ActionRecord extends ActionDetails {
  readonly id: string
  readonly kind: ActionKind
  readonly state: 'waiting' | 'done' | 'expired'
  /** Milliseconds since 1970. */
  readonly requestedAt: number
  readonly doneAt: number | undefined
}

/** Actions of operators for customers. Each is recorded; a change requires a request and its confirmation. */
export type OperatorActions = ReturnType<typeof createOperatorActions>

type ConfirmedKind = Exclude<ActionKind, 'export'>

/** The one-time PIN of a reset, with its end in milliseconds since 1970; nothing for other actions. */
type Done = { readonly pin: string; readonly validUntil: number } | undefined

export const createOperatorActions = ({ storage, vault, clock, lockout, records }: OperatorActionsDependencies) => {
  const findCustomers = async (database: UssdStorage['read'], target: ActionTarget): Promise<readonly Customer[]> => {
    const query = database.selectFrom('ussd_customers').selectAll()
    const rows = await ('customerId' in target
      ? query.where('id', '=', target.customerId)
      : query.where('phone_hash', 'in', customerPhoneHashes(vault, target.phoneNumber))
    ).execute()
    return rows.map(row => openCustomer(vault, row))
  }

  /** Returns the scope of an action: one customer for a reset, a phone with all its customers for the others. */
  const resolve = async (kind: ActionKind, target: ActionTarget) => {
    const customers = await findCustomers(storage.read, target)
    const [customer] = customers
    if (!customer && (kind === 'reset' || 'customerId' in target)) throw ussdErrors.customer_not_found()
    if (kind === 'reset' && customers.length > 1) throw ussdErrors.customer_ambiguous({ count: customers.length })
    const phoneNumber = 'phoneNumber' in target ? target.phoneNumber : (customer as Customer).phoneNumber
    const isOne = kind === 'reset' || 'customerId' in target
    return { customers, about: { phoneNumber, ...(isOne && customer ? { customerId: customer.id } : {}) } }
  }

  /** Returns the details of a record, or the reason if it cannot be opened. */
  const readableDetails = (row: ActionRow): ActionDetails => {
    try {
      return openDetails(vault, row)
    } catch (error) {
      if (error instanceof SealBrokenError) return { operator: '?', reason: error.message }
      throw error
    }
  }

  const insert = (row: ActionRow) => storage.write(tx => tx.insertInto('ussd_actions').values(row).execute())

  const isWaiting = ({ done_at, tries, requested_at }: ActionRow): boolean => {
    const age = clock.now() - requested_at
    return done_at === null && tries < maxTries && age < requestLifeMs && age > -clockToleranceMs
  }

  /** Prepares the effect of an action in the transaction that marks it as done. */
  const prepare = async (kind: ActionKind, about: ActionDetails): Promise<(tx: WriteTransaction) => Promise<Done>> => {
    const { phoneNumber = '', customerId } = about
    const target = customerId === undefined ? { phoneNumber } : { customerId }
    if (kind === 'erase') {
      const erase = await prepareErasure(records, phoneNumber)
      return async tx => void (await erase(tx))
    }
    return async tx => {
      const customers = await findCustomers(tx, target)
      const accounts = customers.flatMap(({ id }) => accountSubjects(id, phoneNumber))
      await lockout.unlock(tx, [...phoneSubjects(phoneNumber), ...accounts])
      if (kind !== 'reset') return undefined
      const [customer] = customers
      if (!customer) throw ussdErrors.customer_not_found()
      const pin = randomPin({ phoneNumber: customer.phoneNumber, customerId: customer.id })
      const validUntil = clock.now() + oneTimePinLifeMs
      const { id, ...changed } = sealCustomer(vault, customer, pin, validUntil)
      await tx.updateTable('ussd_customers').set(changed).where('id', '=', id).execute()
      return { pin, validUntil }
    }
  }

  return {
    /** Throws `customer_not_found` and `customer_ambiguous`, unless the target may be a phone without customers. */
    async request(kind: ConfirmedKind, target: ActionTarget, note: OperatorNote): Promise<WaitingAction> {
      const { customers, about } = await resolve(kind, target)
      const [id, confirmation, now] = [randomUUID(), confirmationWord(), clock.now()]
      await insert({
        id,
        kind,
        ...sealDetails(vault, id, { ...note, ...about }),
        confirmation: confirmationHashes(vault, id, confirmation)[0],
        tries: 0,
        requested_at: now,
        done_at: null,
      })
      return { id, confirmation, expiresAt: now + requestLifeMs, customers: customers.length }
    },

    /**
     * Runs the requested action. The same confirmation has no further effect; for a reset it is rejected, because its
     * PIN is shown once. Throws `operator_action_not_found`, `operator_action_over`, `confirmation_wrong`,
     * `customer_not_found`.
     */
    async confirm(
      kind: ConfirmedKind,
      id: string,
      { confirmation, operator }: { readonly confirmation: string; readonly operator: string },
    ): Promise<Done> {
      const rowOf = (database: UssdStorage['read']) =>
        database.selectFrom('ussd_actions').selectAll().where('id', '=', id).where('kind', '=', kind).executeTakeFirst()
      const found = await rowOf(storage.read)
      if (!found) throw ussdErrors.operator_action_not_found()
      const details = openDetails(vault, found)
      const hashes = confirmationHashes(vault, id, confirmation)
      const work = await prepare(kind, details)
      const outcome = await storage.write(async (tx): Promise<{ readonly done: Done } | 'wrong' | 'over'> => {
        const row = await rowOf(tx)
        const isRight = hashes.some(hash => isSameSecret(hash, row?.confirmation ?? ''))
        if (row?.done_at != null && isRight && kind !== 'reset') return { done: undefined }
        if (!row || !isWaiting(row)) return 'over'
        if (!isRight) {
          await tx
            .updateTable('ussd_actions')
            .set({ tries: row.tries + 1 })
            .where('id', '=', id)
            .execute()
          return 'wrong'
        }
        const done = await work(tx)
        const { operator: askedBy, reason = '' } = details
        const kept = kind === 'erase' ? { operator: askedBy, reason } : details
        const record = sealDetails(vault, id, { ...kept, confirmedBy: operator })
        await tx
          .updateTable('ussd_actions')
          .set({ ...record, done_at: clock.now() })
          .where('id', '=', id)
          .execute()
        return { done }
      })
      if (outcome === 'wrong') throw ussdErrors.confirmation_wrong()
      if (outcome === 'over') throw ussdErrors.operator_action_over()
      return outcome.done
    },

    /** Returns everything that is stored of a phone, by kind of record. */
    async export(phoneNumber: string, note: OperatorNote): Promise<PersonalData> {
      const [id, now] = [randomUUID(), clock.now()]
      const sealed = sealDetails(vault, id, { ...note, phoneNumber })
      await insert({ id, kind: 'export', ...sealed, confirmation: null, tries: 0, requested_at: now, done_at: now })
      return exportRecords(records, phoneNumber)
    },

    /** Returns the records, newest first, starting after `before`. */
    async list({
      limit,
      before,
    }: {
      readonly limit: number
      readonly before?: string | undefined
    }): Promise<readonly ActionRecord[]> {
      let query = storage.read
        .selectFrom('ussd_actions')
        .selectAll()
        .orderBy('requested_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
      if (before !== undefined) {
        const last = await storage.read
          .selectFrom('ussd_actions')
          .select('requested_at')
          .where('id', '=', before)
          .executeTakeFirst()
        if (!last) throw ussdErrors.operator_action_not_found()
        query = query.where(sql<boolean>`(requested_at, id) < (${last.requested_at}, ${before})`)
      }
      const rows = await query.execute()
      return rows.map(row => ({
        ...readableDetails(row),
        id: row.id,
        kind: row.kind as ActionKind,
        state: row.done_at === null ? (isWaiting(row) ? 'waiting' : 'expired') : 'done',
        requestedAt: row.requested_at,
        doneAt: row.done_at ?? undefined,
      }))
    },
  }
}
