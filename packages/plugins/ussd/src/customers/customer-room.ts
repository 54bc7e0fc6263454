import type { Host, Route } from '@sibyl/plugin'
import type { SealedTable, Vault } from '@sibyl/plugin/sealing'
import { smsSender } from '@sibyl/protocol'
import { sealedCustomers } from '../keys/sealed-tables.ts'
import { createOperatorActions } from '../operators/create-operator-actions.ts'
import { customerRoutes } from '../operators/customer-routes.ts'
import type { OperatorLock } from '../operators/operator-lock.ts'
import { customerRecords } from '../people/customer-records.ts'
import { createPhonePeople, type PhonePeople } from '../people/phone-people.ts'
import type { PhoneRecords } from '../people/phone-records.ts'
import { sessionRecords } from '../people/session-records.ts'
import type { Chore } from '../storage/upkeep.ts'
import type { UssdTables, WriteTransaction } from '../storage/ussd-tables.ts'
import { createCustomers } from './create-customers.ts'
import { createPhones } from './create-phones.ts'
import type { Customers, Phones } from './customers.ts'
import { customersChore } from './customers-chore.ts'
import { createLockout } from './lockout.ts'
import { createResetCodes } from './reset-codes.ts'

/** What this room gives to the others, and to the composition. */
export interface CustomerRoom {
  readonly customers: Customers
  readonly phones: Phones
  /** The tables to seal anew when keys change. */
  readonly sealedTables: readonly SealedTable<WriteTransaction>[]
  readonly chore: Chore
  readonly people: PhonePeople
  /**
   * The operator's routes.
   *
   * @param records What all parts of the plugin store of a phone, to be exported and erased.
   */
  routes(lock: OperatorLock, records: readonly PhoneRecords[]): Route[]
  /** What this part stores of a phone. */
  readonly records: readonly PhoneRecords[]
}

/** What the room rests on. */
export interface CustomerRoomParts {
  readonly host: Pick<Host<unknown, UssdTables>, 'storage' | 'clock' | 'jobs' | 'identity' | 'optionalService'>
  readonly vault: Vault
}

/** Puts the room together. */
export const createCustomerRoom = ({ host, vault }: CustomerRoomParts): CustomerRoom => {
  const { storage, clock, jobs, identity } = host
  const lockout = createLockout({ storage, vault, now: () => clock.now() })
  const people = createPhonePeople({ storage, vault, identity })
  const phones = people.notingPhones(createPhones({ storage, vault, clock }))
  const sms = host.optionalService(smsSender)
  const resetCodes = createResetCodes({ storage, vault, clock, lockout, jobs, phones, sms })
  return {
    customers: people.notingCustomers(createCustomers({ storage, vault, clock, lockout, resetCodes })),
    phones,
    sealedTables: sealedCustomers({ storage, vault, lockout }),
    async chore(signal) {
      await customersChore(storage, clock)(signal)
      await people.chore(signal)
    },
    people,
    records: [...customerRecords({ storage, vault, lockout }), sessionRecords(storage, vault), people.records],
    routes: (lock, records) => customerRoutes(createOperatorActions({ storage, vault, clock, lockout, records }), lock),
  }
}
