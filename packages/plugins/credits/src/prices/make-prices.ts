import { type Micro, parseAmount } from '../definitions/amounts.ts'
import type { ModelPrice, PriceList } from './price-list.ts'
import type { PriceFile } from './read-price-file.ts'

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

/** Where nobody set a price: a credit for each thousand tokens. */
const usualModel: ModelPrice = { input: 1_000_000_000n, cachedInput: 1_000_000_000n, output: 1_000_000_000n }

/**
 * The prices that count: those of the file; the oracle's own price, where the file has none of a turn; and a credit for each
 * thousand tokens where there is neither.
 *
 * @param file what the file of prices says, where there is one
 * @param words the oracle's own price, in words
 */
export const makePrices = (file: PriceFile | undefined, words: string | undefined): PriceList => {
  const own = profilePrice(words)
  if (!file && own === undefined) {
    return priced(0n, { models: { '*': usualModel } }, '1 credit per 1,000 tokens, since no price is set')
  }
  if (!file) return priced(own ?? 0n, {}, "the oracle's configuration")
  if (file.turn !== undefined) return priced(file.turn, file, 'the price file')
  const isShared = own !== undefined && own > 0n
  return priced(
    own ?? 0n,
    file,
    isShared ? "the price file, and the oracle's configuration of a turn" : 'the price file',
  )
}

const priced = (turn: Micro, { hold = 0n, models = {}, tools = {} }: PriceFile, source: string): PriceList => ({
  turn,
  hold,
  models: new Map(Object.entries(models)),
  tools: new Map(Object.entries(tools)),
  source,
})
