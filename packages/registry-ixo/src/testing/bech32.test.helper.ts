import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'

const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** The address of a compressed secp256k1 key: bech32 (BIP-173) over RIPEMD-160 of SHA-256. */
export const addressOf = (publicKey: Uint8Array, prefix = 'ixo'): string => bech32(prefix, ripemd160(sha256(publicKey)))

const bech32 = (prefix: string, bytes: Uint8Array): string => {
  const bits = Array.from(bytes, byte => byte.toString(2).padStart(8, '0')).join('')
  const words = (bits.match(/.{1,5}/g) ?? []).map(group => Number.parseInt(group.padEnd(5, '0'), 2))
  const letters = Array.from(prefix, letter => letter.charCodeAt(0))
  const expanded = [...letters.map(code => code >> 5), 0, ...letters.map(code => code & 31)]
  const sum = checksum([...expanded, ...words, 0, 0, 0, 0, 0, 0]) ^ 1
  const check = [25, 20, 15, 10, 5, 0].map(shift => (sum >> shift) & 31)
  return `${prefix}1${[...words, ...check].map(word => alphabet[word]).join('')}`
}

const checksum = (values: readonly number[]): number =>
  values.reduce((sum, value) => {
    const top = sum >>> 25
    const next = ((sum & 0x1ffffff) << 5) ^ value
    return [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].reduce(
      (all, generator, index) => ((top >> index) & 1 ? all ^ generator : all),
      next,
    )
  }, 1)
