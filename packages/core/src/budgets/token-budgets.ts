import type { ShareOf } from '@sibyl/plugin'
import { type CountedActor, nextUtcDay, utcDay } from '@sibyl/protocol'
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

/** What somebody used today and has reserved now, as far as this process knows. */
export class TokenAccount {
  /** What is stored, and what ended here since it was read. */
  #tokens = 0
  #running = 0
  #elsewhere = 0
  /** What ended here while the stored sum was read. */
  #meanwhile = 0
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined

  get tokens(): number {
    return this.#tokens
  }

  /** Turns that run, here and elsewhere. */
  get running(): number {
    return this.#running + this.#elsewhere
  }

  /** Whether nothing of it would be lost if it were read anew. */
  get isIdle(): boolean {
    return this.#running === 0 && this.#reading === undefined
  }

  /** Takes a turn in. */
  reserve(): void {
    this.#running += 1
  }

  /** Lets a turn go that used so many tokens. */
  release(tokens: number): void {
    this.#running -= 1
    this.#tokens += tokens
    if (this.#reading) this.#meanwhile += tokens
  }

  /** Has what is stored read anew, as of another day. */
  forget(): void {
    this.#tokens = 0
    this.#readAt = Number.NEGATIVE_INFINITY
  }

  /** Reads what is stored, unless that was done since `freshSince`. */
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

/** How old the knowledge of other processes may be, in milliseconds. */
const sharedFreshMs = 2_000

/** The most accounts that are kept in memory while nothing runs on them. */
const maxIdleAccounts = 10_000

/** The accounts of a day: of each holder and each origin, and of the whole oracle. */
export class TokenAccounts {
  readonly #usage: TokenUsageStore
  readonly #shared: boolean
  readonly #now: () => number
  readonly #accounts = new Map<string, TokenAccount>()
  #day = ''

  /** @param shared Whether other processes use the same database; without them it is read once a day. */
  constructor(usage: TokenUsageStore, shared: boolean, now: () => number) {
    this.#usage = usage
    this.#shared = shared
    this.#now = now
  }

  /** Returns an account, as fresh as it has to be. */
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

  /** Begins a new day. Turns that run count to the day on which they end, so their reservations go along. */
  #turnOver(day: string): void {
    this.#day = day
    for (const [key, account] of this.#accounts) {
      if (account.isIdle) this.#accounts.delete(key)
      else account.forget()
    }
  }
}

const keyOf = (user: TokenUser): string => (user === 'oracle' ? user : Object.entries(user)[0]!.join(':'))
