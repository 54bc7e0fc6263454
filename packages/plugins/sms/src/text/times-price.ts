/** A price in plain decimals: `0.80`. */
export const priceForm = /^[0-9]{1,7}(?:\.[0-9]{1,8})?$/

/**
 * Multiplies a price, exact in decimals, with at least the given number of decimals.
 *
 * @param price in the form of `priceForm`
 * @param count A whole number from 0
 * @example timesPrice('0.015', 3, 2)  // '0.045'
 */
export const timesPrice = (price: string, count: number, leastDecimals: number): string => {
  const [whole = '', part = ''] = price.split('.')
  const digits = String(BigInt(whole + part) * BigInt(count)).padStart(part.length + 1, '0')
  const cut = digits.length - part.length
  const decimals = digits.slice(cut).replace(/0+$/, '').padEnd(leastDecimals, '0')
  return decimals === '' ? digits.slice(0, cut) : `${digits.slice(0, cut)}.${decimals}`
}
