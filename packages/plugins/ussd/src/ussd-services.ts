import { every, type Host } from '@sibyl/plugin'
import { createVault, readSealingKey, readSealingKeys, sealingKeyCommand, type Vault } from '@sibyl/plugin/sealing'
import { smsSender } from '@sibyl/protocol'
import { forgetFlowCounts } from './counts/read-flow-counts.ts'
import { createCustomers } from './customers/create-customers.ts'
import { createPhones } from './customers/create-phones.ts'
import { createLockout, type Lockout } from './customers/lockout.ts'
import { createResetCodes, type ResetCodes } from './customers/reset-codes.ts'
import type { FlowServices } from './default-flow/menu-kit.ts'
import { resealRows, sealedTables } from './keys/sealed-tables.ts'
import { actionRecords } from './operators/action-row.ts'
import { customerRecords } from './people/customer-records.ts'
import { createPhonePeople, type PhonePeople } from './people/phone-people.ts'
import type { PhoneRecords } from './people/phone-records.ts'
import { sessionRecords } from './people/session-records.ts'
import { createQuestions } from './questions/create-questions.ts'
import { forgetQuestions, questionRecords } from './questions/question-store.ts'
import { PhoneOrigins } from './requests/phone-origins.ts'
import type { UssdTables } from './storage/ussd-tables.ts'
import type { UssdEnv } from './ussd-env.ts'

export type UssdHost = Host<UssdEnv, UssdTables>

export interface UssdServices extends FlowServices {
  readonly vault: Vault
  readonly lockout: Lockout
  readonly resetCodes: ResetCodes
  readonly people: PhonePeople
  readonly origins: PhoneOrigins
  /** All records that this plugin stores of a phone. */
  readonly records: readonly PhoneRecords[]
}

/** Creates the shared services; logs a warning for a key that is easy to guess. */
export const createServices = (host: UssdHost): UssdServices => {
  const { storage, clock, jobs, identity, env } = host
  const vault = openVault(host)
  const lockout = createLockout(storage, vault, () => clock.now())
  const people = createPhonePeople(storage, vault, identity)
  const { note } = people
  const phones = createPhones(storage, vault, clock, note)
  const sms = host.optionalService(smsSender)
  const resetCodes = createResetCodes({ storage, vault, clock, lockout, jobs, phones, sms })
  const customers = createCustomers({ storage, vault, clock, lockout, resetCodes, note })
  const origins = new PhoneOrigins()
  const questions = createQuestions({ host, vault, people, origins, keptMs: env.USSD_ANSWER_HOURS * 3_600_000 })
  const records = [
    ...customerRecords(storage, vault, lockout),
    actionRecords(storage, vault),
    sessionRecords(storage, vault),
    people.records,
    questionRecords(questions),
  ]
  return { host, vault, lockout, resetCodes, people, phones, customers, questions, origins, records }
}

/** Starts the hourly maintenance: deletes expired rows, and seals rows again after a key rotation. */
export const startMaintenance = async (
  { storage, clock, jobs, log }: UssdHost,
  { vault, lockout, resetCodes, people }: UssdServices,
): Promise<void> => {
  const tables = sealedTables(storage, vault, lockout)
  const tasks = [
    (signal: AbortSignal) => lockout.forgetOld(signal),
    (signal: AbortSignal) => resetCodes.forgetOld(signal),
    (signal: AbortSignal) => people.noteStored(signal),
    (signal: AbortSignal) => forgetQuestions(storage, clock, signal),
    (signal: AbortSignal) => forgetFlowCounts(storage, clock.now(), signal),
    (signal: AbortSignal) => resealRows(storage, vault, tables, { log, signal }),
  ]
  const run = async (signal: AbortSignal) => {
    for (const task of tasks) if (!signal.aborted) await task(signal)
  }
  await every(jobs, { kind: 'ussd/upkeep', interval: '1h', atStart: true, timeLimitMs: 3_000_000, run })
}

const openVault = ({ env, log }: UssdHost): Vault => {
  const current = readSealingKey(env.PIN_ENCRYPTION_KEY)
  const old = readSealingKeys(env.PIN_ENCRYPTION_OLD_KEYS ?? '')
  if (!current || !old) throw new TypeError('the keys passed their schema and cannot be read')
  if (current.isPhrase)
    log.warn(`PIN_ENCRYPTION_KEY is a text that may be guessed. Make a key with: ${sealingKeyCommand}`)
  return createVault({ current: current.bytes, old: old.map(({ bytes }) => bytes) })
}
