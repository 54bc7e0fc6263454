import { tallyOf } from './tally.ts'
import { standardLimits, type TextLimits } from './text-limits.ts'

/** The size of a text, and how much one message carries in its encoding. */
export interface MeasuredText {
  /** `ucs2` as soon as one character is outside of the GSM 7 bit alphabet. */
  readonly encoding: 'gsm7' | 'ucs2'
  /** Septets of GSM-7, characters of the extension table counting two; or UTF-16 code units. */
  readonly used: number
  /** In the same unit. */
  readonly limit: number
}

/**
 * Measures a text as the network will encode it.
 *
 * @example
 * const { used, limit } = measure('Price: 5€') // 10 of 182: the euro sign counts two
 */
export const measure = (text: string, limits: TextLimits = standardLimits): MeasuredText => {
  const tally = tallyOf(text)
  return tally.gsm7
    ? { encoding: 'gsm7', used: tally.septets, limit: limits.gsm7 }
    : { encoding: 'ucs2', used: tally.units, limit: limits.ucs2 }
}

/** Returns whether a text fits into one message. */
export const fits = (text: string, limits: TextLimits = standardLimits): boolean => {
  const { used, limit } = measure(text, limits)
  return used <= limit
}
