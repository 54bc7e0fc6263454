import { generateMnemonic, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

const LONGEST_TEXT = 1_000

/** A valid mnemonic. The words can be taken out by `reveal` alone: printing or serialising it does not show them. */
export class Mnemonic {
  readonly #words: readonly string[]

  /** @param words valid words, lower case; use `parseMnemonic` on text from outside */
  constructor(words: readonly string[]) {
    this.#words = words
  }

  /** How many words it has, 12 or 24. */
  get wordCount(): number {
    return this.#words.length
  }

  /** Hands out the words, separated by single spaces: to derive the seed, or to show them to their owner once. */
  reveal(): string {
    return this.#words.join(' ')
  }

  /** What `JSON.stringify` and loggers see. */
  toJSON(): string {
    return this.toString()
  }

  /** What `console.log` and template literals see. */
  toString(): string {
    return `Mnemonic(${this.wordCount} words)`
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString()
  }
}

/** Why a text is not a mnemonic. */
export type MnemonicRefusal = 'mnemonic_word_count' | 'mnemonic_unknown_word' | 'mnemonic_checksum'

/** A mnemonic, or why the text is none. `message` names the culprit and the remedy and holds none of the words. */
export type MnemonicResult = { ok: true; mnemonic: Mnemonic } | { ok: false; reason: MnemonicRefusal; message: string }

/**
 * Reads a BIP-39 mnemonic of 12 or 24 English words. Case, white space and Unicode form (NFKD) do not matter.
 *
 * @param text the words as a person or an environment variable gives them
 * @returns the mnemonic, or the reason: `mnemonic_word_count` (neither 12 nor 24), `mnemonic_unknown_word`
 *   (the message tells its position) or `mnemonic_checksum` (valid words that do not belong together)
 *
 * @example
 * const parsed = parseMnemonic(process.env.ORACLE_MNEMONIC ?? '')
 * if (!parsed.ok) log.warn(parsed.message)
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
      `A mnemonic has 12 or 24 words, got ${words.length}: check for missing or doubled words.`,
    )
  }
  const unknown = words.findIndex(word => !wordlist.includes(word))
  if (unknown !== -1) {
    return refuse(
      'mnemonic_unknown_word',
      `Word ${unknown + 1} of ${words.length} is not in the English BIP-39 list: check its spelling.`,
    )
  }
  if (!validateMnemonic(words.join(' '), wordlist)) {
    return refuse(
      'mnemonic_checksum',
      `The ${words.length} words do not belong together (BIP-39 checksum): check their order, and each word against the original.`,
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
  return new Mnemonic(generateMnemonic(wordlist, strength).split(' '))
}

function refuse(reason: MnemonicRefusal, message: string): MnemonicResult {
  return { ok: false, reason, message }
}
