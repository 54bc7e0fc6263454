import type { Host, Route } from '@sibyl/core'
import { smsSender } from '@sibyl/protocol'
import type { OperatorLock } from '../gateway/operator-lock.ts'
import type { SealedTable } from '../keys/sealed-table.ts'
import type { Vault } from '../keys/vault.ts'
import type { Chore } from '../storage/upkeep.ts'
import type { UssdTables } from '../storage/ussd-tables.ts'
import { createCustomers } from './create-customers.ts'
import { createOperatorActions } from './create-operator-actions.ts'
import { createPhones } from './create-phones.ts'
import { customerRecords } from './customer-records.ts'
import { customerRoutes } from './customer-routes.ts'
import type { Customers, Phones } from './customers.ts'
import { customersChore } from './customers-chore.ts'
import { createLockout } from './lockout.ts'
import type { PhoneRecords } from './phone-records.ts'
import { createResetCodes } from './reset-codes.ts'
import { sealedCustomers } from './sealed-customers.ts'
import { sessionRecords } from './session-records.ts'

/** What this room gives to the others, and to the composition. */
export interface CustomerRoom {
  readonly customers: Customers
  readonly phones: Phones
  /** The tables to seal anew when keys change. */
  readonly sealedTables: readonly SealedTable[]
  readonly chore: Chore
  /**
   * The operator's routes.
   *
   * @param others What other rooms keep of people, to be exported and erased as well.
   */
  routes(lock: OperatorLock, others: readonly PhoneRecords[]): Route[]
}

/** What the room rests on. */
export interface CustomerRoomParts {
  readonly host: Pick<Host<unknown, UssdTables>, 'storage' | 'clock' | 'jobs' | 'optionalService'>
  readonly vault: Vault
}

/** Puts the room together. */
export const createCustomerRoom = ({ host, vault }: CustomerRoomParts): CustomerRoom => {
  const { storage, clock, jobs } = host
  const lockout = createLockout({ storage, vault, now: () => clock.now() })
  const phones = createPhones({ storage, vault, clock })
  const sms = host.optionalService(smsSender)
  const resetCodes = createResetCodes({ storage, vault, clock, lockout, jobs, phones, sms })
  return {
    customers: createCustomers({ storage, vault, clock, lockout, resetCodes }),
    phones,
    sealedTables: sealedCustomers({ storage, vault, lockout }),
    chore: customersChore(storage, clock),
    routes(lock, others) {
      const records = [...customerRecords({ storage, vault, lockout }), sessionRecords(storage, vault), ...others]
      return customerRoutes(createOperatorActions({ storage, vault, clock, lockout, records }), lock)
    },
  }
}
