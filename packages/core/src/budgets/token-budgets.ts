import type { ShareOf } from '@sibyl/plugin'
import { type CountedActor, nextUtcDay, utcDay } from '@sibyl/protocol'
import { type TokenAccount, TokenAccounts } from './token-accounts.ts'
import type { TokenUsageStore, TokenUser } from './token-usage-store.ts'

/** What may be used, in tokens; 0 is without end. */
export interface TokenBudgetLimits {
  /** Of one holder in a day of UTC. */
  readonly perDid: number
  /** Of the whole oracle in a day of UTC. */
  readonly oracle: number
  /** What a turn may use: reserved for each one that runs. */
  readonly perTurn: number
}

/** Dependencies of `TokenBudgets`. */
export interface TokenBudgetParts {
  readonly usage: TokenUsageStore
  /** Whether other processes use the same database. */
  readonly shared: boolean
  /** How callers share the oracle's budget. */
  readonly shareOf: ShareOf
  readonly now: () => number
}

/** Why no turn may start now. */
export interface BudgetRefusal {
  /** Whose budget it is. */
  readonly scope: 'did' | 'address' | 'oracle'
  /** `used` up for the day, or `reserved` for turns that run now. */
  readonly why: 'used' | 'reserved'
  readonly budget: number
  readonly retryAfterSeconds: number
}

/** A turn's worth of tokens, held while the turn runs. */
export interface TokenReservation {
  /** Gives it back, once. @param tokens What the turn used of it. */
  release(tokens: number): void
}

/** What somebody used today. */
export interface TokensUsed {
  readonly day: string
  /** Milliseconds since 1970. */
  readonly resetsAt: number
  readonly tokens: number
  /** 0 is without end. */
  readonly budget: number
}

/** How soon a turn that others' reservations kept out may try again, in seconds. */
const retryReservedSeconds = 5

/**
 * Keeps the daily budgets of tokens. A turn may start while what was used, and `perTurn` for each turn that runs
 * already, is below the budget; so it is overshot by one turn at the most, however many start at once. What several
 * processes tell each other through the database is up to two seconds old.
 */
export class TokenBudgets {
  readonly #limits: TokenBudgetLimits
  readonly #accounts: TokenAccounts
  readonly #shareOf: ShareOf
  readonly #now: () => number

  constructor(limits: TokenBudgetLimits, { usage, shared, shareOf, now }: TokenBudgetParts) {
    this.#limits = limits
    this.#shareOf = shareOf
    this.#accounts = new TokenAccounts(usage, shared, now)
    this.#now = now
  }

  /** Reserves a turn's worth for an actor, or says why not. */
  async reserve(actor: CountedActor): Promise<TokenReservation | BudgetRefusal> {
    const { perDid, oracle } = this.#limits
    const { holder, origin, ofAll, ofOrigin } = this.#shareOf(actor, Math.max(1, oracle))
    const [own, shared, all] = await Promise.all([
      perDid > 0 ? this.#accounts.open({ holder }) : undefined,
      oracle > 0 && origin !== undefined ? this.#accounts.open({ origin }) : undefined,
      oracle > 0 ? this.#accounts.open('oracle') : undefined,
    ])
    const refusal =
      this.#judge('did', perDid, own) ?? this.#judge('address', ofOrigin, shared) ?? this.#judge('oracle', ofAll, all)
    if (refusal) return refusal
    const held = [own, shared, all].filter(account => account !== undefined)
    for (const account of held) account.reserve()
    return {
      release(tokens) {
        for (const account of held.splice(0)) account.release(tokens)
      },
    }
  }

  /** Returns what a holder used today. */
  async usedBy(holder: string): Promise<TokensUsed> {
    return this.#used({ holder }, this.#limits.perDid)
  }

  /** What the whole oracle used today. */
  async usedByAll(): Promise<TokensUsed> {
    return this.#used('oracle', this.#limits.oracle)
  }

  async #used(user: TokenUser, budget: number): Promise<TokensUsed> {
    const { tokens } = await this.#accounts.open(user)
    const now = this.#now()
    return { day: utcDay(now), resetsAt: nextUtcDay(now), tokens, budget }
  }

  #judge(scope: BudgetRefusal['scope'], budget: number, account: TokenAccount | undefined): BudgetRefusal | undefined {
    if (account === undefined || account.tokens + account.running * this.#limits.perTurn < budget) return undefined
    if (account.tokens < budget) return { scope, why: 'reserved', budget, retryAfterSeconds: retryReservedSeconds }
    const now = this.#now()
    return { scope, why: 'used', budget, retryAfterSeconds: Math.ceil((nextUtcDay(now) - now) / 1000) }
  }
}
