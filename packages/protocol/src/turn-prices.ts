import type { Outcome, Usage } from './chat-event.ts'
import { type ServiceToken, serviceToken } from './service-token.ts'

/** The facts that decide what a turn costs. */
export interface PricedTurn {
  readonly outcome: Outcome
  readonly usage: Usage
  readonly model: string
  /** The number of runs of each tool, by name. */
  readonly tools: Readonly<Record<string, number>>
}

/** Prices of turns. */
export interface TurnPrices {
  /** Returns the cost of a turn in millionths of a credit; undefined if everything is free. */
  costOf(turn: PricedTurn): bigint | undefined
}

/** The service of the plugin that prices turns; core stores the cost with the timings of a turn. */
export const turnPrices: ServiceToken<TurnPrices> = serviceToken('turn-prices')
