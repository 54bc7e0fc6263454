import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Ids that are made from one call for random bytes. */
const idsPerFill = 256
const bytesPerId = 10

/**
 * Returns a function that creates ids of entities: a UUIDv7 (RFC 9562) as 26 characters of Crockford base32. The ids
 * ascend, also within a millisecond and when the clock goes back.
 *
 * @param now milliseconds since 1970
 */
export const makeEntityIds = (now: () => number): (() => string) => {
  const random = Buffer.alloc(idsPerFill * bytesPerId)
  let used = random.length
  let time = 0
  let counter = 0
  return () => {
    if (used === random.length) {
      randomFillSync(random)
      used = 0
    }
    const given = now()
    counter = given > time ? random.readUInt16BE(used) & 0x3ff : counter + 1
    time = Math.max(time, given) + (counter > 0xfff ? 1 : 0)
    counter &= 0xfff
    const high = random.readUInt32BE(used + 2) & 0x3fffffff
    const low = random.readUInt32BE(used + 6)
    used += bytesPerId
    return base32(time, counter, high, low)
  }
}

/**
 * Encodes 128 bits of a UUIDv7 in characters of 5 bits: 48 of time, version 7, 12 of the counter, variant 2, 30 and 32
 * random.
 */
const base32 = (time: number, counter: number, high: number, low: number): string => {
  const words = [Math.floor(time / 2 ** 32), Math.floor(time / 2 ** 16) & 0xffff, time & 0xffff, 0x7000 | counter]
  words.push(0x8000 | (high >>> 16), high & 0xffff, low >>> 16, low & 0xffff)
  let text = ''
  let bits = 0
  let held = 2
  for (const word of words) {
    bits = (bits << 16) | word
    held += 16
    while (held >= 5) {
      held -= 5
      text += alphabet[(bits >>> held) & 31]
    }
    bits &= (1 << held) - 1
  }
  return text
}
