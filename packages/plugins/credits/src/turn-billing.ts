import {
  type Clock,
  type Logger,
  nextUtcDay,
  type Refusal,
  type ShareOf,
  type Turn,
  type TurnHooks,
} from '@sibyl/plugin'
import { credits, formatAmount } from './definitions/amounts.ts'
import { type CreditsStorage, decidedByRows } from './ledger/credits-tables.ts'
import { type HoldRefusal, holdCall, holdTurn } from './ledger/hold-turn.ts'
import { asksBefore, howToContinue, type Policy } from './ledger/policy.ts'
import { settleTurn } from './ledger/settle-turn.ts'
import { costOf, modelPrice, type PriceList } from './prices/price-list.ts'

export interface BillingDependencies {
  readonly storage: CreditsStorage
  readonly policy: Policy
  readonly prices: PriceList
  readonly clock: Clock
  readonly shareOf: ShareOf
  readonly log: Pick<Logger, 'warn'>
}

/** Seconds until a retry, for a turn that waits for the reservations of running turns. */
const retryReservedSeconds = 5

/**
 * Creates the hooks that admit turns with enough credit and charge each completed turn. If turns are only metered,
 * there is no check before.
 */
export const turnBilling = ({ storage, policy, prices, clock, shareOf, log }: BillingDependencies): TurnHooks => {
  const unpriced = new Set<string>()
  const budgetShare = ({ actor }: Turn) => {
    const { holder, network, ofAll, ofOrigin, ofSite } = shareOf(actor, Number(policy.oracleBudget ?? 1n))
    return { holder, network, ofAll: BigInt(ofAll), ofOrigin: BigInt(ofOrigin), ofSite: BigInt(ofSite) }
  }
  const warnUnpriced = (model: string) => {
    if (prices.models.size === 0 || modelPrice(prices, model) || unpriced.has(model)) return
    unpriced.add(model)
    log.warn('a model has no price, so its tokens cost nothing', {
      model,
      remedy: 'add it to the price file, or add "*"',
    })
  }
  return {
    ...(asksBefore(policy)
      ? {
          before: async turn => {
            const now = clock.now()
            const { holder, ...share } = budgetShare(turn)
            const refusal = await holdTurn(storage, policy, { turn: turn.id, did: holder, share, now })
            return refusal && refusalOf(refusal, holder, now)
          },
          beforeCall: async (turn, { tool }) => {
            const price = prices.tools.get(tool) ?? 0n
            if (price === 0n) return undefined
            const now = clock.now()
            const { holder, ...share } = budgetShare(turn)
            const refusal = await holdCall(storage, policy, { turn: turn.id, share, now, price })
            return refusal && refusalOf(refusal, holder, now, 'this call')
          },
        }
      : {}),
    async after(record, end) {
      warnUnpriced(end.model)
      const cost = costOf(prices, end)
      await storage.write(tx => settleTurn(tx, policy, { record, end, cost, now: clock.now() }), decidedByRows)
    },
  }
}

const refusalOf = (refusal: HoldRefusal, did: string, now: number, what = 'a turn'): Refusal => {
  if (refusal.why === 'exhausted') {
    return {
      status: 402,
      code: 'credits_exhausted',
      detail: `Your credit is ${refusal.available > 0n ? 'not enough' : 'used up'}: ${credits(refusal.available)} left, and ${what} needs ${formatAmount(refusal.needed)}. ${howToContinue(did)}`,
    }
  }
  const { whose, budget, charged } = refusal
  const of = {
    person: 'Your budget',
    address: "Your address's share of this oracle's budget",
    oracle: "This oracle's budget",
  }[whose]
  if (charged < budget) {
    return {
      status: 429,
      code: 'credits_budget_used',
      detail: `${of} of ${credits(budget)} a day is reserved by running turns. Try again in a few seconds.`,
      retryAfterSeconds: retryReservedSeconds,
    }
  }
  return {
    status: 429,
    code: 'credits_budget_used',
    detail: `${of} of ${credits(budget)} a day is used up. It resets at 00:00 UTC.`,
    retryAfterSeconds: Math.ceil((nextUtcDay(now) - now) / 1000),
  }
}
