import { randomBytes } from 'node:crypto'
import { createMnemonic } from '@sibyl/identity'

/** A secret that each computer makes for itself. */
export interface OwnSecret {
  readonly variable: string
  /** For the file that keeps it. */
  readonly description: string
  /** Makes a new one, as it is written behind `VARIABLE=`. */
  make(): string
}

/** What an oracle on this computer needs and no other may have. */
export const ownSecrets: readonly OwnSecret[] = [
  {
    variable: 'ORACLE_MNEMONIC',
    description: "The words of the oracle's signing key: who has them is the oracle. Keep a copy in a safe place.",
    make: () => `"${createMnemonic(24).reveal()}"`,
  },
  {
    variable: 'PIN_ENCRYPTION_KEY',
    description: 'The key that keeps the PINs of callers unreadable on disk: 32 bytes in hexadecimal.',
    make: () => randomBytes(32).toString('hex'),
  },
  {
    variable: 'ORACLE_OPERATOR_TOKEN',
    description: "The bearer token of the operator's routes.",
    make: () => randomBytes(32).toString('hex'),
  },
]
