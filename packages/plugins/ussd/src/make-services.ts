import type { Host } from '@sibyl/plugin'
import { createVault, readSealingKey, readSealingKeys, sealingKeyCommand, type Vault } from '@sibyl/plugin/sealing'
import { type CustomerRoom, createCustomerRoom } from './customers/customer-room.ts'
import type { FlowServices } from './default-flow/menu-kit.ts'
import { createQuestions } from './questions/create-questions.ts'
import { PhoneOrigins } from './requests/phone-origins.ts'
import type { UssdTables } from './storage/ussd-tables.ts'
import type { UssdEnv } from './ussd-env.ts'

/** What this plugin gets from the oracle. */
export type UssdHost = Host<UssdEnv, UssdTables>

/** What the plugin's rooms share. */
export interface UssdServices extends FlowServices {
  readonly vault: Vault
  readonly customerRoom: CustomerRoom
  readonly origins: PhoneOrigins
}

/** Makes what the plugin's rooms share; warns of a key that may be guessed. */
export const makeServices = (host: UssdHost): UssdServices => {
  const vault = openVault(host)
  const customerRoom = createCustomerRoom({ host, vault })
  const { customers, phones } = customerRoom
  const { people } = customerRoom
  const origins = new PhoneOrigins()
  const questions = createQuestions({ host, vault, people, origins, keptMs: host.env.USSD_ANSWER_HOURS * 3_600_000 })
  return { host, vault, customerRoom, phones, customers, questions, origins }
}

const openVault = ({ env, log }: UssdHost): Vault => {
  const current = readSealingKey(env.PIN_ENCRYPTION_KEY)
  const old = readSealingKeys(env.PIN_ENCRYPTION_OLD_KEYS ?? '')
  if (!current || !old) throw new TypeError('the keys passed their schema and cannot be read')
  if (current.isPhrase)
    log.warn(`PIN_ENCRYPTION_KEY is a text that may be guessed. Make a key with: ${sealingKeyCommand}`)
  return createVault({ current: current.bytes, old: old.map(({ bytes }) => bytes) })
}
