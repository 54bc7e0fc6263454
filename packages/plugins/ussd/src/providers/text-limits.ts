import type { TextLimits } from '../requests/ussd-request.ts'

/** One message by 3GPP TS 23.038: 160 octets. */
export const fullMessage: TextLimits = { gsm7: 182, ucs2: 80 }

/** One message on networks that hold it to 160 septets, which are 140 octets. */
export const shortMessage: TextLimits = { gsm7: 160, ucs2: 70 }
