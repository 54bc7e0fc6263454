import { createMnemonic } from '@sibyl/identity'

/** The key of the benchmark, for reading and writing. */
export const apiKey = 'the-key-of-the-benchmark'

/** The settings of an oracle that takes any number of requests from this machine. */
export const entitySettings = (databaseUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  ORACLE_MNEMONIC: createMnemonic(12).reveal(),
  PUBLIC_URL: 'http://oracle.test',
  ENTITIES_API_KEYS: `bench:${apiKey}`,
  RATE_LIMIT_PER_MINUTE: '0',
  RATE_LIMIT_DID_PER_MINUTE: '0',
  ENTITIES_HISTORY_PER_MINUTE: '0',
  DID_RESOLUTION_PER_MINUTE: '0',
})
