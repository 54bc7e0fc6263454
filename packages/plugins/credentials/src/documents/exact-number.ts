/**
 * Whether a number of a JSON text is one that everybody reads as the same: what it says is what a double says of itself
 * (RFC 8785 §3.2.2.3). `9007199254740993` is not, for some read it as `9007199254740992`; `1.0` is, and `1e21`.
 *
 * @param text a number as JSON writes it
 */
export const isExactNumber = (text: string): boolean => {
  if (text.length <= surelyExact && !/[eE]/.test(text)) return true
  const value = Number(text)
  return Number.isFinite(value) && decimalOf(text) === decimalOf(String(value))
}

/** A text of no more characters has no more digits than a double keeps. */
const surelyExact = 15

/** A number in one spelling: its digits without zeros around them, and the power of ten of the last one. */
const decimalOf = (text: string): string => {
  const [, whole = '', fraction = '', power = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  if (kept === '') return '0'
  return `${kept}e${Number(power) - fraction.length + digits.length - kept.length}`
}
