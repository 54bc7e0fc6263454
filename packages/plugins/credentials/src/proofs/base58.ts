const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const base = 58n

/**
 * Encodes bytes in the base58 alphabet of Bitcoin (multibase `z`, without the `z`).
 *
 * @param bytes short, such as a signature; the cost grows with the square of its length
 */
export const toBase58 = (bytes: Uint8Array): string => {
  let text = ''
  for (let rest = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`); rest > 0n; rest /= base) {
    text = alphabet[Number(rest % base)] + text
  }
  return '1'.repeat(countWhile(bytes, byte => byte === 0)) + text
}

/**
 * Decodes text in the base58 alphabet of Bitcoin.
 *
 * @param text short; limit its length first
 * @returns the bytes, or undefined when a character is not in the alphabet
 */
export const fromBase58 = (text: string): Uint8Array | undefined => {
  let value = 0n
  for (const character of text) {
    const digit = alphabet.indexOf(character)
    if (digit < 0) return undefined
    value = value * base + BigInt(digit)
  }
  const hex = value === 0n ? '' : value.toString(16)
  const zeros = new Uint8Array(countWhile(text, character => character === '1'))
  return Buffer.concat([zeros, Buffer.from(hex.length % 2 === 1 ? `0${hex}` : hex, 'hex')])
}

const countWhile = <Item>(items: ArrayLike<Item>, holds: (item: Item) => boolean): number => {
  let count = 0
  while (count < items.length && holds(items[count]!)) count += 1
  return count
}
