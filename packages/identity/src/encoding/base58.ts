const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/**
 * Encodes bytes in the base58 alphabet of Bitcoin (multibase `z`, without the `z`).
 *
 * @param bytes a short byte string, such as a key; the cost grows with the square of its length
 */
export function toBase58(bytes: Uint8Array): string {
  const digits = convertBase(bytes, 256, 58)
  return '1'.repeat(leadingZeros(bytes)) + digits.map(digit => ALPHABET[digit]).join('')
}

/**
 * Decodes text in the base58 alphabet of Bitcoin.
 *
 * @param text a short text; limit its length first, the cost grows with its square
 * @returns the bytes, or undefined when a character is not in the alphabet
 */
export function fromBase58(text: string): Uint8Array | undefined {
  const digits = Array.from(text, character => ALPHABET.indexOf(character))
  if (digits.includes(-1)) return undefined
  return Uint8Array.from([...new Array<number>(leadingZeros(digits)).fill(0), ...convertBase(digits, 58, 256)])
}

/** Rewrites a big-endian number from one base in another, without leading zeros. */
function convertBase(digits: Iterable<number>, from: number, to: number): number[] {
  const result: number[] = []
  for (const digit of digits) {
    let carry = digit
    for (let index = result.length - 1; index >= 0; index--) {
      carry += result[index]! * from
      result[index] = carry % to
      carry = Math.floor(carry / to)
    }
    for (; carry > 0; carry = Math.floor(carry / to)) result.unshift(carry % to)
  }
  return result
}

function leadingZeros(digits: ArrayLike<number>): number {
  let count = 0
  while (count < digits.length && digits[count] === 0) count++
  return count
}
