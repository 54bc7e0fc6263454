import { ConnectionLostError } from '../errors/turn-errors.ts'
import { pause, type Reconnecting, type ReconnectPolicy, reconnectDelay } from './reconnect-policy.ts'

/** Options of a request that may need several connections. */
export interface TurnOptions {
  /** Ends the reading, not the turn. */
  readonly signal?: AbortSignal | undefined
  /** Called before each try to take up a broken connection. */
  readonly onReconnecting?: ((reconnecting: Reconnecting) => void) | undefined
}

/** Counts the failures of one request, and waits between its tries. */
export class Retries {
  readonly #sessionId: string
  readonly #policy: ReconnectPolicy
  readonly #options: TurnOptions
  #attempt = 0
  #hasBegun = false

  constructor(sessionId: string, policy: ReconnectPolicy, options: TurnOptions) {
    this.#sessionId = sessionId
    this.#policy = policy
    this.#options = options
  }

  /** To be called when something arrived. */
  reset(): void {
    this.#attempt = 0
    this.#hasBegun = true
  }

  /**
   * Waits until the next attempt.
   *
   * @throws ConnectionLostError (`connection_lost`) after the last attempt, or the reason of the signal
   */
  async failed(cause: unknown): Promise<void> {
    this.#attempt += 1
    if (this.#attempt > this.#policy.tries) {
      throw new ConnectionLostError(this.#sessionId, `${this.#policy.tries} attempts failed`, {
        cause,
        hasBegun: this.#hasBegun,
      })
    }
    const delayMs = reconnectDelay(this.#policy, this.#attempt)
    this.#options.onReconnecting?.({ attempt: this.#attempt, delayMs, cause })
    await pause(delayMs, this.#options.signal)
  }
}
