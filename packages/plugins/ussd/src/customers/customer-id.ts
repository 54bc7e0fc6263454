import { randomInt } from 'node:crypto'

const form = /^[1-9]\d{8}$/

/** Returns the check digit of Luhn's formula (ISO/IEC 7812-1, annex B) for the digits before it. */
const checkDigit = (digits: string): number => {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return (10 - (sum % 10)) % 10
}

/** Returns whether a text is a valid customer ID: nine digits, the first not zero, the last a check digit. */
export const isCustomerId = (text: string): boolean =>
  form.test(text) && Number(text.at(-1)) === checkDigit(text.slice(0, -1))

/** Creates a random ID: eight digits and a check digit, which detects a mistyped digit and two that are swapped. */
export const randomCustomerId = (): string => {
  const digits = String(randomInt(10_000_000, 100_000_000))
  return `${digits}${checkDigit(digits)}`
}
