import { randomInt } from 'node:crypto'

/** Problem of a PIN: it is not 4 to 6 digits, or is easy to guess. */
export type PinViolation = 'form' | 'weak'

/** Owner of a PIN. Digits that others may associate with the owner make a weak PIN. */
export interface PinOwner {
  /** E.164. */
  readonly phoneNumber?: string
  readonly customerId?: string
}

const form = /^\d{4,6}$/
const repetition = /^(\d{1,3})\1+$/
const fourAlike = /(\d)\1{3}/
const pairs = /^(\d)\1(\d)\2(?:(\d)\3)?$/
const mirrored = /^(\d)(\d)(?:(\d)\3)?\2\1$/
const year = /^(?:19|20)\d\d$/

/** Keypad patterns and other common PINs that no rule below covers. */
const wellKnown: ReadonlySet<string> = new Set(
  (
    '2580 0852 1470 0741 3690 0963 1590 3570 1397 1379 7139 9713 3179 7931 1478 3698 1236 1456 4569 7412 9632 3214 ' +
    '1230 0123 1004 5683 1357 2468 9753 8642 1026 1225 0070 0007 1000 1001 2525 4200 0420 1337 8080 5150 ' +
    '147258 258369 147369 369258 258147 159357 357159 159753 753159 741852 852963 963852 852741 147852 258456 ' +
    '123654 321654 123789 789123 456123 123450 135790 135791 246810 102030 112358 142536 102938 123698 131420 100000 ' +
    '14789 15987 12369 98741 13579 24680 12589 25800'
  ).split(' '),
)

/** Returns whether the steps between the digits are equal: `1234`, `8765`, `7890`, `1357`. */
const isRun = (pin: string): boolean => {
  const steps = [...pin].slice(1).map((digit, index) => (Number(digit) - Number(pin[index]) + 10) % 10)
  return [1, 2, 8, 9].some(step => steps.every(each => each === step))
}

/**
 * Returns the problem of a new PIN. Weak PINs are sequences, repetitions, pairs, mirrored digits, years, common PINs,
 * and digits of the owner's phone number or the beginning of the customer id.
 */
export const pinViolation = (pin: string, { phoneNumber, customerId }: PinOwner = {}): PinViolation | undefined => {
  if (!form.test(pin)) return 'form'
  if (isRun(pin) || [repetition, fourAlike, pairs, mirrored, year].some(rule => rule.test(pin)) || wellKnown.has(pin))
    return 'weak'
  return phoneNumber?.includes(pin) || customerId?.startsWith(pin) ? 'weak' : undefined
}

/** Creates a random PIN of six digits that is not weak for that owner. */
export const randomPin = (owner: PinOwner): string => {
  for (;;) {
    const pin = String(randomInt(0, 1_000_000)).padStart(6, '0')
    if (pinViolation(pin, owner) === undefined) return pin
  }
}
