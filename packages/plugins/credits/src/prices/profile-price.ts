import { type Micro, parseAmount } from '../amounts.ts'

/**
 * The price of a turn, as the oracle's configuration has it in free words: where they begin with a number of credits, or
 * say that it is free.
 *
 * @param words `price` of `oracle.config.json`: '0.5 credits a turn', 'free'
 * @returns undefined where the words say neither
 */
export const profilePrice = (words: string | undefined): Micro | undefined => {
  const text = words?.trim() ?? ''
  if (/^free\b/i.test(text)) return 0n
  const [, amount] = /^(\d{1,10}(?:\.\d{1,6})?)\s*credits?\b/i.exec(text) ?? []
  return amount === undefined ? undefined : parseAmount(amount)
}
