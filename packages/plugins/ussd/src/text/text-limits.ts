/** The longest reply that one message carries. */
export interface TextLimits {
  /** In septets of GSM-7, its extension table counting two; 182 by 3GPP TS 23.038, 160 on some networks. */
  readonly gsm7: number
  /** In UCS-2 code units, as soon as one character is outside of GSM-7; 80 by the same standard. */
  readonly ucs2: number
}

/** What one message carries by 3GPP TS 23.038: 160 octets, which are 182 septets or 80 code units. */
export const standardLimits: TextLimits = { gsm7: 182, ucs2: 80 }

/** What one message carries on networks that take no more than a text message. */
export const narrowLimits: TextLimits = { gsm7: 160, ucs2: 70 }
