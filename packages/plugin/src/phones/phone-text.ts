/** The encoding of a text on the way to a phone, and its length in that encoding. */
export interface PhoneTextLength {
  /** `gsm7` where every character is in the default alphabet or its extension table (3GPP TS 23.038), else `ucs2`. */
  readonly encoding: 'gsm7' | 'ucs2'
  /** Septets of GSM-7, a character of the extension table counting two, or code units of UCS-2. */
  readonly length: number
}

const defaultAlphabet =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extensionTable = '\f^{}\\[~]|€'

const septets: ReadonlyMap<string, number> = new Map([
  ...[...defaultAlphabet].map(character => [character, 1] as const),
  ...[...extensionTable].map(character => [character, 2] as const),
])

/**
 * Measures a text as SMS and USSD carry it. One USSD message holds 182 septets, or 80 code units of UCS-2.
 *
 * @example
 * phoneTextLength('5 €')    // { encoding: 'gsm7', length: 4 }
 * phoneTextLength('5 ₦')    // { encoding: 'ucs2', length: 3 }
 */
export const phoneTextLength = (text: string): PhoneTextLength => {
  let length = 0
  for (const character of text) {
    const count = septets.get(character)
    if (count === undefined) return { encoding: 'ucs2', length: text.length }
    length += count
  }
  return { encoding: 'gsm7', length }
}
