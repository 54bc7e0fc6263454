import type { Host } from '@sibyl/core'
import { type CustomerRoom, createCustomerRoom } from './customers/customer-room.ts'
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
  readonly customerRoom: CustomerRoom
}

/** Makes what the plugin's rooms share; warns of a key that may be guessed. */
export const makeServices = (host: UssdHost): UssdServices => {
  const vault = openVault(host)
  const customerRoom = createCustomerRoom({ host, vault })
  const { customers, phones } = customerRoom
  const questions = createQuestions({ host, vault, keptMs: host.env.USSD_ANSWER_HOURS * 3_600_000 })
  return { host, vault, customerRoom, phones, customers, questions }
}

const openVault = ({ env, log }: UssdHost): Vault => {
  const current = readPinKey(env.PIN_ENCRYPTION_KEY)
  const old = readPinKeys(env.PIN_ENCRYPTION_OLD_KEYS ?? '')
  if (!current || !old) throw new TypeError('the keys passed their schema and cannot be read')
  if (current.isPhrase) log.warn(`PIN_ENCRYPTION_KEY is a text that may be guessed. Make a key with: ${keyCommand}`)
  return createVault({ current: current.bytes, old: old.map(({ bytes }) => bytes) })
}
