import { type Micro, parseAmount } from '../definitions/amounts.ts'
import type { CreditsEnv } from '../definitions/credits-env.ts'
import { isFree, leastCost, type PriceList } from '../prices/price-list.ts'

/** By which rules turns are let in and paid. */
export interface Policy {
  /** What each person gets at first; undefined where turns are only metered. */
  readonly grant: Micro | undefined
  /** The least that must be there for a turn, and that is held for it. */
  readonly hold: Micro
  /** Of a day of UTC; undefined is without end. */
  readonly personBudget: Micro | undefined
  readonly oracleBudget: Micro | undefined
}

/** The rules as the operator set them. */
export const policyOf = (env: CreditsEnv, prices: PriceList): Policy => {
  const least = isFree(prices) ? 0n : 1n
  const budget = (text: string | undefined) => (text === undefined ? undefined : parseAmount(text)) || undefined
  return {
    grant: env.CREDITS_DEFAULT_GRANT === undefined ? undefined : parseAmount(env.CREDITS_DEFAULT_GRANT),
    hold: [leastCost(prices), prices.hold, least].reduce((most, amount) => (amount > most ? amount : most)),
    personBudget: budget(env.CREDITS_BUDGET_PERSON_PER_DAY),
    oracleBudget: budget(env.CREDITS_BUDGET_ORACLE_PER_DAY),
  }
}

/** Whether anything is to be asked before a turn. */
export const asksBefore = ({ grant, personBudget, oracleBudget }: Policy): boolean =>
  [grant, personBudget, oracleBudget].some(rule => rule !== undefined)

/** How a person without credit goes on. */
export const howToContinue = (did: string): string =>
  `To continue, ask the operator of this oracle for a grant and tell them your DID: ${did.slice(0, 200)} (they give it with POST /credits/grants).`
