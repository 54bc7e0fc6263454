import { type Micro, parseAmount } from '../definitions/amounts.ts'
import type { CreditsEnv } from '../definitions/credits-env.ts'
import { isFree, leastCost, type PriceList } from '../prices/price-list.ts'

/** Rules for admitting and charging turns. */
export interface Policy {
  /** Default grant; undefined if turns are only metered. */
  readonly grant: Micro | undefined
  /** Minimum cost of a turn besides its tools. */
  readonly least: Micro
  /** Minimum credit for a turn, which is held for it. */
  readonly hold: Micro
  /** Per UTC day; undefined: no limit. */
  readonly personBudget: Micro | undefined
  readonly oracleBudget: Micro | undefined
}

/** Returns the operator's rules. */
export const policyOf = (env: CreditsEnv, prices: PriceList): Policy => {
  const cost = leastCost(prices)
  const least = cost > 0n || isFree(prices) ? cost : 1n
  const budget = (text: string | undefined) => (text === undefined ? undefined : parseAmount(text)) || undefined
  return {
    grant: env.CREDITS_DEFAULT_GRANT === undefined ? undefined : parseAmount(env.CREDITS_DEFAULT_GRANT),
    least,
    hold: prices.hold > least ? prices.hold : least,
    personBudget: budget(env.CREDITS_BUDGET_PERSON_PER_DAY),
    oracleBudget: budget(env.CREDITS_BUDGET_ORACLE_PER_DAY),
  }
}

/** Returns whether turns are checked before they begin. */
export const asksBefore = ({ grant, personBudget, oracleBudget }: Policy): boolean =>
  [grant, personBudget, oracleBudget].some(rule => rule !== undefined)

/** Returns how a person without credit can continue. */
export const howToContinue = (did: string): string =>
  `To continue, request a grant from the operator of this oracle. Give them your DID: ${did.slice(0, 200)} (they run: npx sibyl credits grant <DID> <credits>).`
