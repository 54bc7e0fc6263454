import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { generateMnemonic, mnemonicToSeed, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { type SigningKey, signingKeyFromSecret } from '@sibyl/identity/browser'

/** m/44'/118'/0'/0', like `signingKeyFromMnemonic` of @sibyl/identity. */
const path = [44, 118, 0, 0]
const hardened = 0x80000000

/** Generates new backup words (BIP-39, English). */
export const newWords = (count: 12 | 24): string[] => generateMnemonic(wordlist, count === 12 ? 128 : 256).split(' ')

/** Parses typed backup words, or returns their error, without any of the words. */
export const readWords = (text: string): { readonly words: string[] } | { readonly wrong: string } => {
  const words = text.normalize('NFKD').toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length !== 12 && words.length !== 24) {
    return { wrong: `These are ${words.length} words; 12 or 24 are required.` }
  }
  const unknown = words.findIndex(word => !wordlist.includes(word))
  if (unknown >= 0) return { wrong: `Word ${unknown + 1} is not in the list of backup words.` }
  if (!validateMnemonic(words.join(' '), wordlist)) {
    return { wrong: 'The words do not match. Check their order, and each of them.' }
  }
  return { words }
}

/** Derives the key of backup words: BIP-39 without a passphrase, then SLIP-0010 for Ed25519 at m/44'/118'/0'/0'. */
export const keyFromWords = async (words: readonly string[]): Promise<SigningKey> =>
  signingKeyFromSecret(deriveSecret(await mnemonicToSeed(words.join(' '))))

const deriveSecret = (seed: Uint8Array): Uint8Array => {
  let node = hmac(sha512, new TextEncoder().encode('ed25519 seed'), seed)
  for (const index of path) {
    const data = new Uint8Array(37)
    data.set(node.subarray(0, 32), 1)
    new DataView(data.buffer).setUint32(33, index + hardened)
    node = hmac(sha512, node.subarray(32), data)
  }
  return node.slice(0, 32)
}
