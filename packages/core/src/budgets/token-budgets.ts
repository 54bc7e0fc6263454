import { nextUtcDay, utcDay } from '@sibyl/protocol'
import { TokenAccounts } from './token-accounts.ts'
import type { TokenUsageStore } from './token-usage-store.ts'

/** What may be used, in tokens; 0 is without end. */
export interface TokenBudgetLimits {
  /** Of one DID in a day of UTC. */
  readonly perDid: number
  /** Of the whole oracle in a day of UTC. */
  readonly oracle: number
  /** What a turn may use: reserved for each one that runs. */
  readonly perTurn: number
}

/** Why no turn may start now. */
export interface BudgetRefusal {
  /** Whose budget it is. */
  readonly scope: 'did' | 'oracle'
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
  readonly #now: () => number

  /** @param shared Whether other processes use the same database. */
  constructor(limits: TokenBudgetLimits, usage: TokenUsageStore, shared: boolean, now: () => number) {
    this.#limits = limits
    this.#accounts = new TokenAccounts(usage, shared, now)
    this.#now = now
  }

  /** Reserves a turn's worth for a DID, or says why not. */
  async reserve(did: string): Promise<TokenReservation | BudgetRefusal> {
    const { perDid, oracle, perTurn } = this.#limits
    const [own, all] = await Promise.all([
      perDid > 0 ? this.#accounts.open(did) : undefined,
      oracle > 0 ? this.#accounts.open(undefined) : undefined,
    ])
    const refusal =
      (own && this.#judge('did', perDid, own.tokens, own.running * perTurn)) ??
      (all && this.#judge('oracle', oracle, all.tokens, all.running * perTurn))
    if (refusal) return refusal
    const held = [own, all].filter(account => account !== undefined)
    for (const account of held) account.reserve()
    return {
      release(tokens) {
        for (const account of held.splice(0)) account.release(tokens)
      },
    }
  }

  /** What a DID used today. */
  async usedBy(did: string): Promise<TokensUsed> {
    return this.#used(did, this.#limits.perDid)
  }

  /** What the whole oracle used today. */
  async usedByAll(): Promise<TokensUsed> {
    return this.#used(undefined, this.#limits.oracle)
  }

  async #used(did: string | undefined, budget: number): Promise<TokensUsed> {
    const { tokens } = await this.#accounts.open(did)
    const now = this.#now()
    return { day: utcDay(now), resetsAt: nextUtcDay(now), tokens, budget }
  }

  #judge(scope: 'did' | 'oracle', budget: number, used: number, reserved: number): BudgetRefusal | undefined {
    if (used + reserved < budget) return undefined
    if (used < budget) return { scope, why: 'reserved', budget, retryAfterSeconds: retryReservedSeconds }
    const now = this.#now()
    return { scope, why: 'used', budget, retryAfterSeconds: Math.ceil((nextUtcDay(now) - now) / 1000) }
  }
}
