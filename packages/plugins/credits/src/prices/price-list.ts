import type { ServiceOf, turnPrices } from '@sibyl/protocol'
import type { Micro } from '../definitions/amounts.ts'

type PricedTurn = Parameters<ServiceOf<typeof turnPrices>['costOf']>[0]

/** Prices of a model, each per million tokens. */
export interface ModelPrice {
  readonly input: Micro
  /** Price of cached input. */
  readonly cachedInput: Micro
  readonly output: Micro
}

/** Prices of turns. */
export interface PriceList {
  /** Price of each answered turn. */
  readonly turn: Micro
  /** Minimum hold before a turn. */
  readonly hold: Micro
  /** By model name; `*` applies to all other models. */
  readonly models: ReadonlyMap<string, ModelPrice>
  /** Price of one run of a tool, by its name. */
  readonly tools: ReadonlyMap<string, Micro>
  /** Origin of the prices, for the operator. */
  readonly source: string
}

const perMillion = 1_000_000n

/** Returns the prices of a model; undefined if the list has none. */
export const modelPrice = ({ models }: PriceList, model: string): ModelPrice | undefined =>
  models.get(model) ?? models.get('*')

/**
 * Returns the cost of a turn: its known tokens and tool runs, plus the price of a turn if it was answered or if the
 * user stopped it. A turn that failed, was interrupted or waits for an approval pays only for its usage. The turn that
 * continues after the approval pays the price of the turn.
 */
export const costOf = (prices: PriceList, { outcome, usage, model, tools }: PricedTurn): Micro => {
  const turn = outcome === 'done' || outcome === 'stopped' ? prices.turn : 0n
  let total = turn + tokensCost(modelPrice(prices, model), usage)
  for (const [tool, count] of Object.entries(tools)) total += (prices.tools.get(tool) ?? 0n) * BigInt(count)
  return total
}

const tokensCost = (price: ModelPrice | undefined, usage: PricedTurn['usage']): Micro => {
  if (!price) return 0n
  const input = wholeFrom0(usage.inputTokens)
  const cached = wholeFrom0(Math.min(usage.cachedInputTokens, usage.inputTokens))
  const output = wholeFrom0(usage.outputTokens)
  const parts = (input - cached) * price.input + cached * price.cachedInput + output * price.output
  return (parts + perMillion - 1n) / perMillion
}

/** Largest number of tokens that is accepted for a turn. */
const maxTokens = 1_000_000_000

/** Converts a provider's count, which may be any number, to a whole number from 0. */
const wholeFrom0 = (count: number): bigint =>
  Number.isFinite(count) ? BigInt(Math.min(maxTokens, Math.max(0, Math.trunc(count)))) : 0n

/** Returns the minimum cost of a short turn: its price, and a thousand tokens of the cheapest model. */
export const leastCost = ({ turn, models }: PriceList): Micro => {
  const [cheapest = 0n] = [...models.values()].map(({ input }) => input).toSorted((one, other) => Number(one - other))
  return turn + cheapest / 1_000n
}

/** Returns whether everything is free. */
export const isFree = ({ turn, models, tools }: PriceList): boolean =>
  turn === 0n &&
  [...models.values()].every(({ input, cachedInput, output }) => input + cachedInput + output === 0n) &&
  [...tools.values()].every(price => price === 0n)
