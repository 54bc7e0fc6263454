import { createHash } from 'node:crypto'
import type { Host } from '@sibyl/plugin'
import { createVault, readSealingKey, readSealingKeys, SealBrokenError, type Vault } from '@sibyl/plugin/sealing'
import { sql } from '@sibyl/plugin/storage'
import type { SmsEnv } from '../definitions/sms-env.ts'

/** A table of the plugin with phone numbers in its column `phone`. */
export type NumberTable = 'sms_messages' | 'sms_inbound' | 'sms_phones' | 'sms_links' | 'sms_early_reports'

export interface NumberPlace {
  readonly table: NumberTable
  /** Key of the row. */
  readonly row: string
}

/** Channel of the pairwise DID from which the encryption key is derived; no person has it. */
const keyChannel = 'sms-numbers'

/**
 * Encrypts with `PIN_ENCRYPTION_KEY`, like the ussd plugin, else with a key that is derived from the oracle's signing
 * key. Either decrypts values of the other.
 */
export const createSealedNumbers = (
  env: Pick<SmsEnv, 'PIN_ENCRYPTION_KEY' | 'PIN_ENCRYPTION_OLD_KEYS'>,
  identity: Pick<Host['identity'], 'did' | 'pairwiseDid'>,
) => {
  const vault = vaultOf(env, identity)
  const hashes = (phone: string): readonly string[] =>
    vault === undefined || phone === '' ? [] : vault.lookupHashes(phone, 'sms.phone')
  return {
    /** Undefined for an oracle without a key, which stores numbers unencrypted. */
    vault,
    seal: (phone: string, place: NumberPlace): string =>
      vault === undefined || phone === '' ? phone : vault.seal(phone, placeText(place)),
    /** Returns undefined for a number whose key is missing. An unencrypted number is returned as it is. */
    open(stored: string, place: NumberPlace): string | undefined {
      if (!isSealed(stored)) return stored
      try {
        return vault?.open(stored, placeText(place))
      } catch (error) {
        if (error instanceof SealBrokenError) return undefined
        throw error
      }
    },
    /** Returns the hash for a new row; blank without a key. */
    hash: (phone: string): string => hashes(phone)[0] ?? '',
    /** Returns all hashes that rows of a phone may have. */
    hashes,
    /**
     * Returns the condition that a row with the columns `phone` and `phone_hash` belongs to a phone, also before it is
     * encrypted.
     */
    isOf: (phone: string): ReturnType<typeof sql<boolean>> =>
      vault === undefined
        ? sql<boolean>`phone = ${phone}`
        : sql<boolean>`(phone_hash in (${sql.join([...hashes(phone)])}) or phone = ${phone})`,
  }
}

/** Stored phone numbers: encrypted, and found by a keyed hash. */
export type SealedNumbers = ReturnType<typeof createSealedNumbers>

/** Returns whether a stored number is encrypted. */
export const isSealed = (stored: string): boolean => /^v1\.[0-9a-f]{8}\.[\w-]{38,}$/.test(stored)

const placeText = ({ table, row }: NumberPlace): string => `${table}.phone:${row}`

const vaultOf = (
  { PIN_ENCRYPTION_KEY: given, PIN_ENCRYPTION_OLD_KEYS: earlier }: Parameters<typeof createSealedNumbers>[0],
  identity: Pick<Host['identity'], 'did' | 'pairwiseDid'>,
): Vault | undefined => {
  const keys = [
    ...(given === undefined ? [] : [readSealingKey(given)]),
    ...(readSealingKeys(earlier ?? '') ?? []),
  ].flatMap(key => (key ? [key.bytes] : []))
  const derived =
    identity.did === undefined ? [] : [createHash('sha256').update(identity.pairwiseDid(keyChannel, 'key')).digest()]
  const [current, ...old] = given === undefined ? [...derived, ...keys] : [...keys, ...derived]
  return current && createVault({ current, old })
}
