import { type PhoneTextLength, phoneTextLength } from '@sibyl/protocol'

/** How long a screen is on the air, and how long it may be there. */
export interface ScreenMeasure extends PhoneTextLength {
  /** What one message holds by 3GPP TS 23.038: 182 septets of GSM-7, or 80 code units of UCS-2. */
  readonly limit: number
}

/** Measures a screen. */
export const measureScreen = (text: string): ScreenMeasure => {
  const { encoding, length } = phoneTextLength(text)
  return { encoding, length, limit: encoding === 'gsm7' ? 182 : 80 }
}

/** `57/182`, or `57/80 UCS-2`. */
export const formatMeasure = ({ encoding, length, limit }: ScreenMeasure): string =>
  `${length}/${limit}${encoding === 'ucs2' ? ' UCS-2' : ''}`
