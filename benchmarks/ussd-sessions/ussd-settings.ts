import { createMnemonic } from '@sibyl/identity'

/** The settings of an oracle whose gateway is this machine: requests are counted as by default, and not refused. */
export const ussdSettings = (databaseUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  ORACLE_MNEMONIC: createMnemonic(12).reveal(),
  PUBLIC_URL: 'http://oracle.test',
  PIN_ENCRYPTION_KEY: 'ab'.repeat(32),
  USSD_TRUSTED_GATEWAYS: '127.0.0.1',
  USSD_GATEWAY_RATE: '10000000',
})
