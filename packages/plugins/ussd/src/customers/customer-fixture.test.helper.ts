import { randomBytes } from 'node:crypto'
import { createVault, type SealedTable, type Vault, type VaultKeys } from '@sibyl/plugin/sealing'
import type { ServiceOf, smsSender } from '@sibyl/protocol'
import { openJobs, type Storage } from '@sibyl/storage'
import { type FakeClock, fakeClock } from '@sibyl/storage/testing'
import { sealedTables } from '../keys/sealed-tables.ts'
import { actionRecords } from '../operators/action-row.ts'
import { createOperatorActions, type OperatorActions } from '../operators/operator-actions.ts'
import { customerRecords } from '../people/customer-records.ts'
import type { PhoneRecords } from '../people/phone-records.ts'
import { sessionRecords } from '../people/session-records.ts'
import type { UssdTables, WriteTransaction } from '../storage/ussd-tables.ts'
import { createCustomers } from './create-customers.ts'
import { createPhones } from './create-phones.ts'
import type { Customer, Customers, Phones } from './customers.ts'
import { createLockout, type Lockout } from './lockout.ts'
import { createResetCodes } from './reset-codes.ts'

/** An SMS that a test received. */
export type SmsMessage = Parameters<ServiceOf<typeof smsSender>['send']>[0]

/** Options of a customer fixture. */
export interface CustomerFixtureOptions {
  readonly keys?: VaultKeys
  readonly clock?: FakeClock
  /** @default true */
  readonly withSms?: boolean
  readonly drawId?: () => string
  /** Records of other parts of the plugin. */
  readonly records?: readonly PhoneRecords[]
}

/** The customer services with their dependencies, for tests. */
export interface CustomerFixture {
  readonly storage: Storage<UssdTables>
  readonly clock: FakeClock
  readonly vault: Vault
  readonly lockout: Lockout
  readonly customers: Customers
  readonly phones: Phones
  readonly actions: OperatorActions
  readonly tables: readonly SealedTable<WriteTransaction>[]
  /** The SMS that were sent. */
  readonly sent: readonly SmsMessage[]
  /** Runs all pending jobs. */
  runJobs(): Promise<void>
  /** Creates a customer whose PIN is 8305. */
  create(phoneNumber?: string): Promise<Customer>
  signIn(customer: Pick<Customer, 'id'>, pin: string, phoneNumber?: string): ReturnType<Customers['checkPin']>
}

/** The encryption key of tests. */
export const testKey = randomBytes(32)

/** The phone number of tests. */
export const testPhone = '+260971234567'

/** Creates a fixture on a database that has the tables. */
export const openCustomerFixture = async (
  storage: Storage<UssdTables>,
  options: CustomerFixtureOptions = {},
): Promise<CustomerFixture> => {
  const clock = options.clock ?? fakeClock()
  const vault = createVault(options.keys ?? { current: testKey })
  const lockout = createLockout(storage, vault, () => clock.now())
  const phones = createPhones(storage, vault, clock)
  const jobs = await openJobs({ storage })
  const sent: SmsMessage[] = []
  const sms = {
    send: async (message: SmsMessage) => {
      sent.push(message)
    },
  }
  const resetCodes = createResetCodes({
    storage,
    vault,
    clock,
    lockout,
    jobs,
    phones,
    sms: options.withSms === false ? undefined : sms,
  })
  const { drawId } = options
  const customers = createCustomers({ storage, vault, clock, lockout, resetCodes, ...(drawId ? { drawId } : {}) })
  const records = [
    ...customerRecords(storage, vault, lockout),
    actionRecords(storage, vault),
    sessionRecords(storage, vault),
    ...(options.records ?? []),
  ]
  return {
    storage,
    clock,
    vault,
    lockout,
    customers,
    phones,
    actions: createOperatorActions({ storage, vault, clock, lockout, records }),
    tables: sealedTables(storage, vault, lockout),
    sent,
    async runJobs() {
      await jobs.start()
      while (await jobs.counts().then(counts => (counts.get('waiting') ?? 0) + (counts.get('running') ?? 0) > 0)) {
        await new Promise(resume => setTimeout(resume, 5))
      }
      await jobs.stop()
    },
    async create(phoneNumber = testPhone) {
      clock.jump(1)
      const { customer, write } = await customers.draft({
        name: 'Chanda Mwila',
        email: 'chanda@example.org',
        pin: '8305',
        phoneNumber,
      })
      await storage.write(tx => write(tx))
      return customer
    },
    signIn: ({ id }, pin, phoneNumber = testPhone) => customers.checkPin({ customerId: id, pin, phoneNumber }),
  }
}
