import { gsm7Septets } from '@sibyl/protocol'
import type { TextLimits } from './text-limits.ts'

/** The size of a text in both encodings; tallies of two texts add up to that of the joined text. */
export interface Tally {
  /** Whether every character is in the GSM 7 bit alphabet. */
  readonly gsm7: boolean
  /** Septets of those that are. */
  readonly septets: number
  /** UTF-16 code units. */
  readonly units: number
}

/** Tally of an empty text. */
export const emptyTally: Tally = { gsm7: true, septets: 0, units: 0 }

/** Counts a text. */
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

/** Returns the tally of two joined texts. */
export const addTallies = (one: Tally, other: Tally): Tally => ({
  gsm7: one.gsm7 && other.gsm7,
  septets: one.septets + other.septets,
  units: one.units + other.units,
})

/** Returns whether a text of that tally fits into one message. */
export const tallyFits = (tally: Tally, limits: TextLimits): boolean =>
  tally.gsm7 ? tally.septets <= limits.gsm7 : tally.units <= limits.ucs2

/** Septets by UTF-16 code unit, up to the alphabet's last one, the euro sign. */
const septets = Uint8Array.from(
  { length: '€'.charCodeAt(0) + 1 },
  (_, unit) => gsm7Septets(String.fromCharCode(unit)) ?? 0,
)

/** Returns the septets of GSM-7 that a UTF-16 code unit takes; 0 where the alphabet lacks it. */
export const unitSeptets = (unit: number): number => septets[unit] ?? 0
