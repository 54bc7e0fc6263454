import { type Micro, parseAmount } from '../definitions/amounts.ts'
import type { ModelPrice, PriceList } from './price-list.ts'
import type { PriceFile } from './read-price-file.ts'

/**
 * Parses the oracle's own price of a turn, which is free text: a leading number of credits, or a statement that it is
 * free.
 *
 * @param words `price` of `oracle.config.json`: '0.5 credits a turn', 'free'
 * @returns undefined if the text has neither
 */
const profilePrice = (words: string | undefined): Micro | undefined => {
  const text = words?.trim() ?? ''
  if (/^free\b/i.test(text)) return 0n
  const [, amount] = /^(\d{1,10}(?:\.\d{1,6})?)\s*credits?\b/i.exec(text) ?? []
  return amount === undefined ? undefined : parseAmount(amount)
}

/** Default without any price: one credit per thousand tokens. */
const usualModel: ModelPrice = { input: 1_000_000_000n, cachedInput: 1_000_000_000n, output: 1_000_000_000n }

/**
 * Combines the prices: those of the file, then the oracle's own price if the file has none for a turn, then one credit
 * per thousand tokens.
 *
 * @param file content of the price file, if there is one
 * @param words the oracle's own price as text
 */
export const makePrices = (file: PriceFile | undefined, words: string | undefined): PriceList => {
  const own = profilePrice(words)
  if (!file && own === undefined) {
    return priced(0n, { models: { '*': usualModel } }, '1 credit per 1,000 tokens, because no price is set')
  }
  if (!file) return priced(own ?? 0n, {}, "the oracle's configuration")
  if (file.turn !== undefined) return priced(file.turn, file, 'the price file')
  const isShared = own !== undefined && own > 0n
  return priced(
    own ?? 0n,
    file,
    isShared ? "the price file; the price of a turn is from the oracle's configuration" : 'the price file',
  )
}

const priced = (turn: Micro, { hold = 0n, models = {}, tools = {} }: PriceFile, source: string): PriceList => ({
  turn,
  hold,
  models: new Map(Object.entries(models)),
  tools: new Map(Object.entries(tools)),
  source,
})
