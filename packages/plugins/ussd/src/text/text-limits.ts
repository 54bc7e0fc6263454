/** Length of the longest reply that fits into one message. */
export interface TextLimits {
  /** In septets of GSM-7, its extension table counting two; 182 by 3GPP TS 23.038, 160 on some networks. */
  readonly gsm7: number
  /** In UCS-2 code units, as soon as one character is outside of GSM-7; 80 by the same standard. */
  readonly ucs2: number
}

/** Limits of 3GPP TS 23.038: 160 octets, which are 182 septets or 80 code units. */
export const standardLimits: TextLimits = { gsm7: 182, ucs2: 80 }

/** Limits of networks that carry no more than a text message. */
export const narrowLimits: TextLimits = { gsm7: 160, ucs2: 70 }
