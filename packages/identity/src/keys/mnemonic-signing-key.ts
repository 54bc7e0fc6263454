import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import type { Mnemonic } from './mnemonic.ts'
import { signingKeyFromSecret } from './node-signing-key.ts'
import type { SigningKey } from './signing-key.ts'
import { deriveEd25519Secret } from './slip10.ts'

/** m/44'/118'/0'/0' */
const ORACLE_KEY_PATH = [44, 118, 0, 0]

/**
 * Derives the oracle's signing key: BIP-39 seed (no passphrase), SLIP-0010 Ed25519, path m/44'/118'/0'/0'.
 *
 * @param mnemonic as `parseMnemonic` or `createMnemonic` returned it
 * @returns the key; the same words always give the same DID
 */
export async function signingKeyFromMnemonic(mnemonic: Mnemonic): Promise<SigningKey> {
  const seed = await promisify(pbkdf2)(mnemonic.reveal(), 'mnemonic', 2048, 64, 'sha512')
  return signingKeyFromSecret(deriveEd25519Secret(seed, ORACLE_KEY_PATH))
}
