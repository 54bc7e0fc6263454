import { asciiDigits } from './ascii-digits.ts'

/**
 * The channel under which the DID of a phone is derived: `host.identity.pairwiseDid(phoneChannel, '+260971234567')`. By USSD
 * and by SMS a phone is the same person.
 */
export const phoneChannel = 'ussd'

/**
 * Returns the canonical form of a phone number with its country code, as users and providers write it: with digits of any script,
 * spaces, points, hyphens, slashes, brackets and invisible characters, the `(0)` of a number within the country, and `00` or a plus
 * in front. A text that is not a phone number stays one that is not.
 *
 * @example normalPhone('00 260 (0)97 123-4567')  // '+260971234567'
 */
export const normalPhone = (text: string): string =>
  asciiDigits(text.normalize('NFKC'))
    .replace(/[\s\p{Cf}]/gu, '')
    .replace('(0)', '')
    .replace(/[\p{Pd}()./]/gu, '')
    .replace(/^00/, '+')

/** Maximum length of a phone number as it is written, in characters. */
const maxCharacters = 100

/** E.164 with a plus: `+260971234567`. */
const e164 = /^\+[1-9][0-9]{6,14}$/

/** Parses a phone number in any form of `normalPhone`; undefined if it is invalid or has no country code. */
export const readPhoneNumber = (text: string): string | undefined => {
  if (text.length > maxCharacters) return undefined
  const plain = normalPhone(text)
  return e164.test(plain) ? plain : undefined
}

/** Masks a phone number for users and logs: `+26097•••4567`. */
export const maskPhone = (number: string): string =>
  number.length < 11 ? `${number.slice(0, 3)}•••${number.slice(-2)}` : `${number.slice(0, 6)}•••${number.slice(-4)}`
