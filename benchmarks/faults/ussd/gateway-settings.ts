import { randomBytes } from 'node:crypto'
import { createMnemonic } from '@sibyl/identity'

/** Value of `x-gateway-secret` for a trusted telecom gateway. */
export const gatewaySecret = 'known-to-gateways-alone-0123456'

/** Returns the settings of an oracle whose trusted gateways have no rate limit; with keys of its own. */
export const gatewaySettings = (databaseUrl: string): Readonly<Record<string, string>> => ({
  DATABASE_URL: databaseUrl,
  ORACLE_MNEMONIC: createMnemonic(12).reveal(),
  PIN_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  USSD_GATEWAY_SECRET: gatewaySecret,
  USSD_GATEWAY_RATE: '0',
  USSD_PHONE_RATE: '0',
})
