import { phoneTextLength } from '@sibyl/plugin/phones'

/** Maximum length of a reply in one message. */
export interface TextLimits {
  /** In septets of GSM-7; characters of the extension table count two. 182 by 3GPP TS 23.038, 160 on some networks. */
  readonly gsm7: number
  /** In UCS-2 code units, with at least one character outside of GSM-7; 80 by the same standard. */
  readonly ucs2: number
}

/** Limits of 3GPP TS 23.038: 160 octets, which are 182 septets or 80 code units. */
export const standardLimits: TextLimits = { gsm7: 182, ucs2: 80 }

/** Limits of networks with the size of a text message. */
export const narrowLimits: TextLimits = { gsm7: 160, ucs2: 70 }

/** The size of a text, and the limit of one message in its encoding. */
export interface MeasuredText {
  /** `ucs2` with at least one character outside of the GSM 7-bit alphabet. */
  readonly encoding: 'gsm7' | 'ucs2'
  /** Septets of GSM-7, characters of the extension table counting two; or UTF-16 code units. */
  readonly used: number
  readonly limit: number
}

/**
 * Measures a text as the network will encode it.
 *
 * @example measure('Price: 5€') // 10 of 182: the euro sign counts two
 */
export const measure = (text: string, limits: TextLimits = standardLimits): MeasuredText => {
  const tally = tallyOf(text)
  return tally.gsm7
    ? { encoding: 'gsm7', used: tally.septets, limit: limits.gsm7 }
    : { encoding: 'ucs2', used: tally.units, limit: limits.ucs2 }
}

export const fits = (text: string, limits: TextLimits = standardLimits): boolean => {
  const { used, limit } = measure(text, limits)
  return used <= limit
}

/** The size of a text in both encodings; tallies of two texts add up to that of the joined text. */
export interface Tally {
  /** Whether every character is in the GSM 7-bit alphabet. */
  readonly gsm7: boolean
  readonly septets: number
  readonly units: number
}

export const emptyTally: Tally = { gsm7: true, septets: 0, units: 0 }

export const tallyOf = (text: string): Tally => {
  let septets = 0
  let gsm7 = true
  for (let index = 0; index < text.length; index += 1) {
    const cost = unitSeptets(text.charCodeAt(index))
    if (cost === 0) gsm7 = false
    septets += cost
  }
  return { gsm7, septets, units: text.length }
}

export const addTallies = (one: Tally, other: Tally): Tally => ({
  gsm7: one.gsm7 && other.gsm7,
  septets: one.septets + other.septets,
  units: one.units + other.units,
})

export const tallyFits = (tally: Tally, limits: TextLimits): boolean =>
  tally.gsm7 ? tally.septets <= limits.gsm7 : tally.units <= limits.ucs2

/** Septets by UTF-16 code unit, up to the alphabet's last one, the euro sign. */
const septets = Uint8Array.from({ length: '€'.charCodeAt(0) + 1 }, (_, unit) => {
  const { encoding, length } = phoneTextLength(String.fromCharCode(unit))
  return encoding === 'gsm7' ? length : 0
})

/** Returns the septets of a UTF-16 code unit in GSM-7; 0 if the alphabet lacks it. */
export const unitSeptets = (unit: number): number => septets[unit] ?? 0
