const foreignDigit = /(?![0-9])\p{Nd}/gu
const decimalDigit = /^\p{Nd}$/u

/** Returns the digit of a code point. Unicode orders the ten digits of a script from 0 to 9; some sets are adjacent. */
const digitValue = (codePoint: number): number => {
  let first = codePoint
  while (decimalDigit.test(String.fromCodePoint(first - 1))) first -= 1
  return (codePoint - first) % 10
}

/** Returns a text with the digits of all scripts in ASCII. */
export const asciiDigits = (text: string): string =>
  text.replace(foreignDigit, digit => String(digitValue(digit.codePointAt(0)!)))
