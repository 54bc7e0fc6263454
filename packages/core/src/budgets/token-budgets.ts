import { nextUtcDay, type ShareOf, utcDay } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'
import type { TokenUsageStore, TokenUser } from './token-usage-store.ts'

/** Limits in tokens; 0 means unlimited. */
export interface TokenBudgetLimits {
  /** Of one holder in a UTC day. */
  readonly perDid: number
  /** Of the whole oracle in a UTC day. */
  readonly oracle: number
  /** The limit of a turn, which is reserved for each running one. */
  readonly perTurn: number
}

export interface TokenBudgetParts {
  readonly usage: TokenUsageStore
  /** Whether other processes use the same database. */
  readonly shared: boolean
  /** The shares of callers in the budget of the oracle. */
  readonly shareOf: ShareOf
  readonly now: () => number
}

/** The reason why no turn may start now. */
export interface BudgetRefusal {
  /** The exceeded budget. */
  readonly scope: 'did' | 'address' | 'oracle'
  /** `used` up for the day, or `reserved` for running turns. */
  readonly why: 'used' | 'reserved'
  readonly budget: number
  readonly retryAfterSeconds: number
}

/** The reserved tokens of a running turn. */
export interface TokenReservation {
  /** Releases the reservation, once. @param tokens The tokens that the turn used. */
  release(tokens: number): void
}

/** The token usage of today. */
export interface TokensUsed {
  readonly day: string
  /** Milliseconds since 1970. */
  readonly resetsAt: number
  readonly tokens: number
  /** 0 means unlimited. */
  readonly budget: number
}

/** Retry time in seconds for a turn that reservations of others blocked. */
const retryReservedSeconds = 5

/**
 * Enforces the daily token budgets. A turn may start while the used tokens, plus `perTurn` for each running turn, are
 * below the budget, so that concurrent starts exceed it by at most one turn. Data of other processes is up to two
 * seconds old.
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

  /** Reserves the tokens of a turn for an actor, or returns the reason why not. */
  async reserve(actor: CountedActor): Promise<TokenReservation | BudgetRefusal> {
    const { perDid, oracle } = this.#limits
    const { holder, origin, network, ofAll, ofOrigin, ofSite } = this.#shareOf(actor, Math.max(1, oracle))
    const ofAddress = (name: string | undefined) =>
      oracle > 0 && name !== undefined ? this.#accounts.open({ origin: name }) : undefined
    const [own, near, site, all] = await Promise.all([
      perDid > 0 ? this.#accounts.open({ holder }) : undefined,
      ofAddress(network),
      network === origin ? undefined : ofAddress(origin),
      oracle > 0 ? this.#accounts.open('oracle') : undefined,
    ])
    const refusal =
      this.#judge('did', perDid, own) ??
      this.#judge('address', ofOrigin, near) ??
      this.#judge('address', ofSite, site) ??
      this.#judge('oracle', ofAll, all)
    if (refusal) return refusal
    const held = [own, near, site, all].filter(account => account !== undefined)
    for (const account of held) account.reserve()
    return {
      release(tokens) {
        for (const account of held.splice(0)) account.release(tokens)
      },
    }
  }

  /** Returns the token usage of a holder today. */
  async usedBy(holder: string): Promise<TokensUsed> {
    return this.#used({ holder }, this.#limits.perDid)
  }

  /** Returns the token usage of the whole oracle today. */
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

/** The used and reserved tokens of today, as known to this process. */
class TokenAccount {
  /** The stored sum, plus turns that ended here since it was read. */
  #tokens = 0
  #running = 0
  #elsewhere = 0
  /** Tokens of turns that ended here while the stored sum was read. */
  #meanwhile = 0
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined

  get tokens(): number {
    return this.#tokens
  }

  /** The number of running turns in all processes. */
  get running(): number {
    return this.#running + this.#elsewhere
  }

  /** Whether it can be read again without a loss. */
  get isIdle(): boolean {
    return this.#running === 0 && this.#reading === undefined
  }

  /** Adds a turn. */
  reserve(): void {
    this.#running += 1
  }

  /** Removes a turn, with its used tokens. */
  release(tokens: number): void {
    this.#running -= 1
    this.#tokens += tokens
    if (this.#reading) this.#meanwhile += tokens
  }

  /** Marks the stored sum as outdated, as on a new day. */
  forget(): void {
    this.#tokens = 0
    this.#readAt = Number.NEGATIVE_INFINITY
  }

  /** Reads the stored sum, unless it was read since `freshSince`. */
  async refresh(read: () => Promise<readonly [number, number]>, freshSince: number, now: number): Promise<void> {
    if (this.#readAt >= freshSince) return
    this.#reading ??= this.#read(read, now).finally(() => {
      this.#reading = undefined
      this.#meanwhile = 0
    })
    await this.#reading
  }

  async #read(read: () => Promise<readonly [number, number]>, now: number): Promise<void> {
    const [tokens, elsewhere] = await read()
    this.#tokens = tokens + this.#meanwhile
    this.#elsewhere = elsewhere
    this.#readAt = now
  }
}

/** Maximum age of data of other processes, in milliseconds. */
const sharedFreshMs = 2_000

/** Maximum accounts in memory without a running turn. */
const maxIdleAccounts = 10_000

/** The accounts of a day: of each holder, each origin and its site, and of the whole oracle. */
class TokenAccounts {
  readonly #usage: TokenUsageStore
  readonly #shared: boolean
  readonly #now: () => number
  readonly #accounts = new Map<string, TokenAccount>()
  #day = ''

  /** @param shared Whether other processes use the same database; otherwise it is read once per day. */
  constructor(usage: TokenUsageStore, shared: boolean, now: () => number) {
    this.#usage = usage
    this.#shared = shared
    this.#now = now
  }

  /** Returns an account that is fresh enough. */
  async open(user: TokenUser): Promise<TokenAccount> {
    const now = this.#now()
    const day = utcDay(now)
    if (day !== this.#day) this.#turnOver(day)
    const key = keyOf(user)
    const account = this.#accounts.get(key) ?? this.#add(key)
    const freshSince = this.#shared ? now - sharedFreshMs : Number.MIN_SAFE_INTEGER
    await account.refresh(() => this.#read(day, user), freshSince, now)
    return account
  }

  async #read(day: string, user: TokenUser): Promise<readonly [number, number]> {
    return Promise.all([this.#usage.tokens(day, user), this.#shared ? this.#usage.runningElsewhere(user) : 0])
  }

  #add(key: string): TokenAccount {
    if (this.#accounts.size >= maxIdleAccounts) {
      for (const [known, account] of this.#accounts) {
        if (known !== keyOf('oracle') && account.isIdle) this.#accounts.delete(known)
        if (this.#accounts.size < maxIdleAccounts / 2) break
      }
    }
    const account = new TokenAccount()
    this.#accounts.set(key, account)
    return account
  }

  /** Starts a new day. Turns count on the day on which they end, so their reservations are carried over. */
  #turnOver(day: string): void {
    this.#day = day
    for (const [key, account] of this.#accounts) {
      if (account.isIdle) this.#accounts.delete(key)
      else account.forget()
    }
  }
}

const keyOf = (user: TokenUser): string => (user === 'oracle' ? user : Object.entries(user)[0]!.join(':'))
