import type { Host } from '@sibyl/core'
import { smsSender } from '@sibyl/protocol'
import { createCustomers } from './customers/create-customers.ts'
import { createPhones } from './customers/create-phones.ts'
import { createLockout } from './customers/lockout.ts'
import { createResetCodes } from './customers/reset-codes.ts'
import type { FlowServices } from './flow/flow-services.ts'
import { createVault } from './keys/create-vault.ts'
import { keyCommand, readPinKey, readPinKeys } from './keys/read-pin-key.ts'
import type { Vault } from './keys/vault.ts'
import { createQuestions } from './questions/create-questions.ts'
import type { UssdTables } from './storage/ussd-tables.ts'
import type { UssdEnv } from './ussd-env.ts'

/** What this plugin gets from the oracle. */
export type UssdHost = Host<UssdEnv, UssdTables>

/** What the plugin's rooms share. */
export interface UssdServices extends FlowServices {
  readonly vault: Vault
}

/** Makes what the plugin's rooms share; warns of a key that may be guessed. */
export const makeServices = (host: UssdHost): UssdServices => {
  const { env, storage, clock, jobs } = host
  const vault = openVault(host)
  const phones = createPhones({ storage, vault, clock })
  const lockout = createLockout({ storage, vault, now: () => clock.now() })
  const sms = host.optionalService(smsSender)
  const resetCodes = createResetCodes({ storage, vault, clock, lockout, jobs, phones, sms })
  const customers = createCustomers({ storage, vault, clock, lockout, resetCodes })
  const questions = createQuestions({ host, vault, keptMs: env.USSD_ANSWER_HOURS * 3_600_000 })
  return { host, vault, phones, customers, questions }
}

const openVault = ({ env, log }: UssdHost): Vault => {
  const current = readPinKey(env.PIN_ENCRYPTION_KEY)
  const old = readPinKeys(env.PIN_ENCRYPTION_OLD_KEYS ?? '')
  if (!current || !old) throw new TypeError('the keys passed their schema and cannot be read')
  if (current.isPhrase) log.warn(`PIN_ENCRYPTION_KEY is a text that may be guessed. Make a key with: ${keyCommand}`)
  return createVault({ current: current.bytes, old: old.map(({ bytes }) => bytes) })
}
