import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Makes ids of entities: a UUIDv7 (RFC 9562) as 26 characters of Crockford base32 in lower case. Ids of one maker come in
 * ascending order, also within a millisecond and when the clock goes back.
 *
 * @param now milliseconds since 1970
 */
export const makeEntityIds = (now: () => number): (() => string) => {
  const random = Buffer.alloc(10)
  let time = 0
  let counter = 0
  return () => {
    randomFillSync(random)
    const given = now()
    counter = given > time ? random.readUInt16BE(0) & 0x3ff : counter + 1
    time = Math.max(time, given) + (counter > 0xfff ? 1 : 0)
    counter &= 0xfff
    const value =
      (BigInt(time) << 80n) |
      (0x7n << 76n) |
      (BigInt(counter) << 64n) |
      (0x2n << 62n) |
      (random.readBigUInt64BE(2) >> 2n)
    return base32(value)
  }
}

const base32 = (value: bigint): string => {
  let text = ''
  for (let shift = 125n; shift >= 0n; shift -= 5n) text += alphabet[Number((value >> shift) & 31n)]
  return text
}
