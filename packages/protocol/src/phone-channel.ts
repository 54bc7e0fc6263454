/**
 * The channel under which the DID of a phone is derived: `host.identity.pairwiseDid(phoneChannel, '+260971234567')`. By USSD
 * and by SMS a phone is the same person.
 */
export const phoneChannel = 'ussd'

/** E.164 with a plus: `+260971234567`. */
const e164 = /^\+[1-9][0-9]{6,14}$/

/**
 * Parses a phone number as users type it: with spaces, points, hyphens or brackets, and `00` or a plus in front;
 * undefined if it is invalid or has no country code.
 *
 * @example readPhoneNumber('+260 97 123-4567')  // '+260971234567'
 */
export const readPhoneNumber = (text: string): string | undefined => {
  const plain = text
    .trim()
    .replace(/[\s().-]/g, '')
    .replace(/^00/, '+')
  return e164.test(plain) ? plain : undefined
}
