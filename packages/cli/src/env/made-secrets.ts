import { randomBytes } from 'node:crypto'
import type { MadeSecret } from '@sibyl/core/start'
import { createMnemonic } from '@sibyl/identity'

const randomHex = (): string => randomBytes(32).toString('hex')

/** Secrets of an oracle that are generated. */
export const madeSecrets: readonly MadeSecret[] = [
  {
    variable: 'ORACLE_MNEMONIC',
    description: "The mnemonic of the oracle's signing key, which controls the oracle. Keep a copy in a safe place.",
    make: () => createMnemonic(24).reveal(),
  },
  {
    variable: 'PIN_ENCRYPTION_KEY',
    description: 'The key that encrypts the PINs of callers at rest: 32 bytes in hexadecimal.',
    make: randomHex,
  },
  {
    variable: 'ENTITIES_API_KEYS',
    description: 'API keys for entities: name:key[:scopes[:did]], separated by commas.',
    make: () => `developer:${randomHex()}`,
  },
  {
    variable: 'ORACLE_OPERATOR_TOKEN',
    description: 'The bearer token of the operator routes.',
    make: randomHex,
  },
  {
    variable: 'USSD_OPERATOR_TOKEN',
    description: 'The bearer token of the routes on USSD sessions and customers.',
    make: randomHex,
  },
]
