import { pbkdf2Sync } from 'node:crypto'
import { createMnemonic, createSigningKey, parseMnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import type { Random } from '../frame/random.ts'
import { type Needle, needlesOfBytes, needlesOfText, needlesOfWords } from './canary-forms.ts'

/** The secrets of a run, by the variable or place that they are given in. */
export interface Canaries {
  readonly mnemonic: string
  /** Eleven words and an invalid one. */
  readonly brokenMnemonic: string
  readonly providerKey: string
  readonly operatorToken: string
  /** Of `ORACLE_API_KEYS`. */
  readonly apiKey: string
  /** Of a plugin's own list of keys. */
  readonly pluginApiKey: string
  readonly pinKey: string
  /** With quotes, a space and other characters that encodings change. */
  readonly pluginSecret: string
  readonly databasePassword: string
  readonly collectorToken: string
  /** A person's phone number in international form. */
  readonly phone: string
  /** Mnemonic of the person who calls. */
  readonly callerSecret: Uint8Array
  readonly needles: readonly Needle[]
}

/** Makes the secrets, each long enough not to be found by chance. */
export const makeCanaries = async (random: Random): Promise<Canaries> => {
  const text = (length: number) => Buffer.from(random.bytes(length)).toString('base64url')
  const mnemonic = createMnemonic(12).reveal()
  const broken = [...createMnemonic(12).reveal().split(' ').slice(1), 'xylofone']
  const parsed = parseMnemonic(mnemonic)
  if (!parsed.ok) throw new Error(parsed.message)
  const key = await signingKeyFromMnemonic(parsed.mnemonic)
  const secrets = {
    providerKey: `sk-${text(20)}/+${text(12)}`,
    operatorToken: `operator-${text(24)}`,
    apiKey: `${text(15)}/${text(15)}`,
    pluginApiKey: text(30),
    pinKey: text(32),
    pluginSecret: `it's "${text(12)}" & <${text(12)}> ü`,
    databasePassword: `db!${text(18)}`,
    collectorToken: `collector ${text(24)}`,
    phone: `+4915${Array.from({ length: 9 }, () => random.integer(1, 9)).join('')}`,
  }
  const callerSecret = createSigningKey().exportSecret()
  return {
    ...secrets,
    mnemonic,
    brokenMnemonic: broken.join(' '),
    callerSecret,
    needles: [
      ...needlesOfWords('the mnemonic', mnemonic.split(' ')),
      ...needlesOfWords('an invalid mnemonic', broken),
      ...needlesOfBytes('the seed', pbkdf2Sync(mnemonic, 'mnemonic', 2048, 64, 'sha512')),
      ...needlesOfBytes('the signing key', key.exportSecret()),
      ...needlesOfBytes("the caller's key", callerSecret),
      ...Object.entries(secrets).flatMap(([name, secret]) => needlesOfText(name, secret)),
    ],
  }
}
