import { utcDay } from '@sibyl/protocol'
import type { TokenUsageStore, TokenUser } from './token-usage-store.ts'

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
