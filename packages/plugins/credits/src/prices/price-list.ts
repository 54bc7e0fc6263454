import type { TurnEnd } from '@sibyl/plugin'
import type { Micro } from '../definitions/amounts.ts'

/** What a model's tokens cost, each for a million of them. */
export interface ModelPrice {
  readonly input: Micro
  /** Of input that the provider had in its cache. */
  readonly cachedInput: Micro
  readonly output: Micro
}

/** What turns cost. */
export interface PriceList {
  /** Of each turn that was answered. */
  readonly turn: Micro
  /** The least that is held before a turn. */
  readonly hold: Micro
  /** By the model's name; `*` stands for all others. */
  readonly models: ReadonlyMap<string, ModelPrice>
  /** Of one run of a tool, by its name. */
  readonly tools: ReadonlyMap<string, Micro>
  /** Where they come from, for the operator. */
  readonly source: string
}

const perMillion = 1_000_000n

/** The price of a model's tokens; undefined where the list has none. */
export const modelPrice = ({ models }: PriceList, model: string): ModelPrice | undefined =>
  models.get(model) ?? models.get('*')

/**
 * What a turn cost: its tokens and tools as far as they are known, and the price of a turn where it was answered, or where
 * the person stopped it. One that failed, was cut off, or waits for an approval pays for what it used alone; the turn that
 * goes on after the approval pays the price of the turn.
 */
export const costOf = (prices: PriceList, { outcome, usage, model, tools }: TurnEnd): Micro => {
  const turn = outcome === 'done' || outcome === 'stopped' ? prices.turn : 0n
  let total = turn + tokensCost(modelPrice(prices, model), usage)
  for (const [tool, count] of Object.entries(tools)) total += (prices.tools.get(tool) ?? 0n) * BigInt(count)
  return total
}

const tokensCost = (price: ModelPrice | undefined, usage: TurnEnd['usage']): Micro => {
  if (!price) return 0n
  const input = wholeFrom0(usage.inputTokens)
  const cached = wholeFrom0(Math.min(usage.cachedInputTokens, usage.inputTokens))
  const output = wholeFrom0(usage.outputTokens)
  const parts = (input - cached) * price.input + cached * price.cachedInput + output * price.output
  return (parts + perMillion - 1n) / perMillion
}

/** The most tokens that are believed of a turn. */
const mostTokens = 1_000_000_000

/** What a provider counted, which may be anything. */
const wholeFrom0 = (count: number): bigint =>
  Number.isFinite(count) ? BigInt(Math.min(mostTokens, Math.max(0, Math.trunc(count)))) : 0n

/** What a short turn costs at least: its price, and a thousand tokens of the cheapest model. */
export const leastCost = ({ turn, models }: PriceList): Micro => {
  const [cheapest = 0n] = [...models.values()].map(({ input }) => input).toSorted((one, other) => Number(one - other))
  return turn + cheapest / 1_000n
}

/** Whether nothing costs anything. */
export const isFree = ({ turn, models, tools }: PriceList): boolean =>
  turn === 0n &&
  [...models.values()].every(({ input, cachedInput, output }) => input + cachedInput + output === 0n) &&
  [...tools.values()].every(price => price === 0n)
