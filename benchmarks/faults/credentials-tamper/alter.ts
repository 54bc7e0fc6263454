import { isDeepStrictEqual } from 'node:util'
import type { Random } from '../frame/random.ts'

/**
 * Changes one byte of a document to another one.
 *
 * @returns undefined where what it says is the same all the same, such as `1e21` and `1E21`
 */
export const alterByte = (text: string, random: Random): string | undefined => {
  const bytes = Buffer.from(text)
  const place = random.integer(0, bytes.length - 1)
  bytes[place] = random.integer(0, 3) === 0 ? random.integer(0, 255) : nearby(bytes[place]!, random)
  const altered = bytes.toString('utf8')
  try {
    return isDeepStrictEqual(JSON.parse(altered), JSON.parse(text)) ? undefined : altered
  } catch {
    return altered
  }
}

/** A byte that keeps most documents readable: another digit, letter, or the one beside it. */
const nearby = (byte: number, random: Random): number => {
  const kinds = [/\d/, /[a-z]/, /[A-Z]/]
  const kind = kinds.find(one => one.test(String.fromCharCode(byte)))
  if (!kind) return byte ^ (1 << random.integer(0, 6))
  for (;;) {
    const other = random.integer(0x30, 0x7a)
    if (other !== byte && kind.test(String.fromCharCode(other))) return other
  }
}
