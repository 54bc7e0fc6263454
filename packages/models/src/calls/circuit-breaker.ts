export interface CircuitBreakerOptions {
  /** Consecutive failures that open it. @default 5 */
  readonly failures?: number
  /** Time it stays open before a probe, in milliseconds. @default 30000 */
  readonly openMs?: number
  /** Milliseconds that pass evenly: a clock that is set back must not keep it open. */
  now(): number
  /** Called when it opens and when it closes. */
  changed?(state: 'open' | 'closed'): void
}

/** An allowed call, whose result is reported to the circuit breaker. */
export interface CircuitPass {
  /** Something came back, and be it a refusal: the provider is there. */
  answered(): void
  /** The call ended well. */
  worked(): void
  /** The call failed in a way that the next one may share. */
  failed(): void
  /** The call was called off before it said anything about the provider. */
  dropped(): void
}

/**
 * Stops calls to a provider that fails repeatedly. While closed, every call is allowed; after consecutive failures it
 * opens and rejects calls; after a pause one call is allowed as a probe, which closes or opens it. An answer that is
 * interrupted counts as a failure.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions
  readonly #limit: number
  readonly #openMs: number
  #failures = 0
  #openUntil: number | undefined
  #probe: CircuitPass | undefined

  constructor(options: CircuitBreakerOptions) {
    this.#options = options
    this.#limit = options.failures ?? 5
    this.#openMs = options.openMs ?? 30_000
  }

  /** `half-open` while the next call may be the probe, or the probe is under way. */
  get state(): 'closed' | 'open' | 'half-open' {
    if (this.#openUntil === undefined) return 'closed'
    return this.#options.now() < this.#openUntil ? 'open' : 'half-open'
  }

  /** Lets a call through, or not. */
  admit(): CircuitPass | undefined {
    const state = this.state
    if (state === 'open' || (state === 'half-open' && this.#probe)) return undefined
    const pass = this.#pass()
    if (state === 'half-open') this.#probe = pass
    return pass
  }

  #pass(): CircuitPass {
    const pass: CircuitPass = {
      answered: () => this.#close(this.#limit - 1),
      worked: () => this.#close(0),
      failed: () => {
        this.#release(pass)
        this.#failures += 1
        if (this.#failures < this.#limit) return
        const opens = this.#openUntil === undefined
        this.#openUntil = this.#options.now() + this.#openMs
        if (opens) this.#options.changed?.('open')
      },
      dropped: () => this.#release(pass),
    }
    return pass
  }

  #close(failuresAtMost: number): void {
    this.#probe = undefined
    this.#failures = Math.min(this.#failures, failuresAtMost)
    if (this.#openUntil === undefined) return
    this.#openUntil = undefined
    this.#options.changed?.('closed')
  }

  #release(pass: CircuitPass): void {
    if (this.#probe === pass) this.#probe = undefined
  }
}
