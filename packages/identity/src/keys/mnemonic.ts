import { generateMnemonic, validateMnemonic, wordlists } from 'bip39'

const LONGEST_TEXT = 1_000

const englishWords = (): string[] => wordlists.english ?? []

/** A valid mnemonic. The words can be taken out by `reveal` alone: printing or serialising it does not show them. */
export class Mnemonic {
  readonly #words: readonly string[]

  /** @param words valid words, lower case; use `parseMnemonic` on text from outside */
  constructor(words: readonly string[]) {
    this.#words = words
  }

  /** The number of words, 12 or 24. */
  get wordCount(): number {
    return this.#words.length
  }

  /** Hands out the words, separated by single spaces: to derive the seed, or to show them to their owner once. */
  reveal(): string {
    return this.#words.join(' ')
  }

  /** The form for `JSON.stringify` and loggers. */
  toJSON(): string {
    return this.toString()
  }

  /** The form for `console.log` and template literals. */
  toString(): string {
    return `Mnemonic(${this.wordCount} words)`
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString()
  }
}

/** Why a text is not a mnemonic. */
export type MnemonicRefusal = 'mnemonic_word_count' | 'mnemonic_unknown_word' | 'mnemonic_checksum'

/** A mnemonic, or the reason why the text is invalid. `message` has the cause and the remedy, and none of the words. */
export type MnemonicResult = { ok: true; mnemonic: Mnemonic } | { ok: false; reason: MnemonicRefusal; message: string }

/**
 * Parses a BIP-39 mnemonic of 12 or 24 English words. Case, white space and Unicode form (NFKD) do not matter.
 *
 * @param text the words from a user or an environment variable
 * @returns the mnemonic, or the reason: `mnemonic_word_count` (neither 12 nor 24), `mnemonic_unknown_word` (the message
 * has its position) or `mnemonic_checksum` (valid words with a wrong checksum)
 *
 * @example const parsed = parseMnemonic(process.env.ORACLE_MNEMONIC ?? '') if (!parsed.ok) log.warn(parsed.message)
 * else key = await signingKeyFromMnemonic(parsed.mnemonic)
 */
export function parseMnemonic(text: string): MnemonicResult {
  if (text.length > LONGEST_TEXT) {
    return refuse(
      'mnemonic_word_count',
      `A mnemonic has 12 or 24 words; this text of ${text.length} characters is longer.`,
    )
  }
  const words = text.normalize('NFKD').toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length !== 12 && words.length !== 24) {
    return refuse(
      'mnemonic_word_count',
      `A mnemonic has 12 or 24 words, got ${words.length}: check for missing or repeated words.`,
    )
  }
  const known = englishWords()
  const unknown = words.findIndex(word => !known.includes(word))
  if (unknown !== -1) {
    return refuse(
      'mnemonic_unknown_word',
      `Word ${unknown + 1} of ${words.length} is not in the English BIP-39 list: check how it is written.`,
    )
  }
  if (!validateMnemonic(words.join(' '), known)) {
    return refuse(
      'mnemonic_checksum',
      `The checksum of the ${words.length} words is wrong (BIP-39): check their order, and each word against the original.`,
    )
  }
  return { ok: true, mnemonic: new Mnemonic(words) }
}

/**
 * Creates a mnemonic from random bytes.
 *
 * @param wordCount 12 (128 bits) or 24 (256 bits)
 */
export function createMnemonic(wordCount: 12 | 24): Mnemonic {
  const strength = (wordCount / 3) * 32
  return new Mnemonic(generateMnemonic(strength, undefined, englishWords()).split(' '))
}

function refuse(reason: MnemonicRefusal, message: string): MnemonicResult {
  return { ok: false, reason, message }
}
