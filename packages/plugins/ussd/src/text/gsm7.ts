import { gsm7Septets } from '@sibyl/protocol'

/** Septets by UTF-16 code unit, up to the alphabet's last one, the euro sign. */
const septets = Uint8Array.from(
  { length: '€'.charCodeAt(0) + 1 },
  (_, unit) => gsm7Septets(String.fromCharCode(unit)) ?? 0,
)

/** How many septets of GSM-7 a UTF-16 code unit takes; 0 for one that the alphabet does not have. */
export const unitSeptets = (unit: number): number => septets[unit] ?? 0
