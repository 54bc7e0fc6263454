import { normalPhone, readPhoneNumber } from '@sibyl/plugin/phones'
import { smsFailures } from '../definitions/sms-errors.ts'

/** Parses a phone number like `readPhoneNumber`. @throws `sms_number_invalid` */
export const requirePhoneNumber = (text: string): string => {
  const phone = readPhoneNumber(text)
  if (phone === undefined) throw smsFailures.sms_number_invalid()
  return phone
}

/** Country codes whose complete numbers have 7 or 8 digits, such as +683 4002 in Niue. */
const shortNumbers = /^(?:247|290|500|67[278]|68[23568]|690)[0-9]{4,5}$/

/**
 * Parses the sender of an SMS as providers write it, in any form of `normalPhone`, also without the plus. Returns undefined for
 * short codes and names, which are not a person's phone. Without a plus, 7 or 8 digits are a phone only in countries with such
 * numbers.
 */
export const readSender = (from: string): string | undefined => {
  const plain = normalPhone(from)
  const isWithoutPlus = /^[1-9][0-9]{8,14}$/.test(plain) || shortNumbers.test(plain)
  return readPhoneNumber(isWithoutPlus ? `+${plain}` : plain)
}
