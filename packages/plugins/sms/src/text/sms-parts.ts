import { phoneTextLength } from '@sibyl/plugin/phones'

/** Number of SMS parts of a text. */
export interface SmsParts {
  readonly encoding: 'gsm7' | 'ucs2'
  readonly parts: number
}

/**
 * Capacity of one SMS, alone and as a part of several: septets of GSM-7, code units of UCS-2 (3GPP TS 23.038, 23.040).
 */
const holds = { gsm7: { alone: 160, part: 153 }, ucs2: { alone: 70, part: 67 } } as const

/**
 * Counts the parts of a text in its composed form (NFC), in which it is sent. A character that counts two is never split, which may leave a part one short.
 *
 * @example smsParts('5 ₦')  // { encoding: 'ucs2', parts: 1 }
 */
export const smsParts = (given: string): SmsParts => {
  const text = given.normalize('NFC')
  const { encoding, length } = phoneTextLength(text)
  const { alone, part } = holds[encoding]
  if (length <= alone) return { encoding, parts: 1 }
  let parts = 1
  let used = 0
  for (const character of text) {
    const size = encoding === 'gsm7' ? phoneTextLength(character).length : character.length
    if (used + size > part) {
      parts += 1
      used = 0
    }
    used += size
  }
  return { encoding, parts }
}
