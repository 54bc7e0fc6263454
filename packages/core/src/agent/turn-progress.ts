import type { Logger } from '../logging/logger.ts'
import type { TurnStore } from '../sessions/turn-store.ts'
import type { RunningTurn } from './running-turn.ts'

/**
 * Stores a running turn's events and answer now and then, so that a crash loses little of an answer, other processes
 * can follow it, and a stop asked for elsewhere is heard.
 */
export class TurnProgress {
  readonly #running: RunningTurn
  readonly #store: TurnStore
  readonly #log: Logger
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout
  #stored = 0
  #pending: Promise<void> | undefined

  /** @param intervalMs How often, in milliseconds. */
  constructor(running: RunningTurn, store: TurnStore, intervalMs: number, now: () => number, log: Logger) {
    this.#running = running
    this.#store = store
    this.#log = log
    this.#now = now
    this.#timer = setInterval(() => this.#tick(), intervalMs)
    this.#timer.unref()
  }

  /** The number of the first event that is not stored yet. */
  get nextEvent(): number {
    return this.#stored + 1
  }

  /** Stops storing; resolves when what was under way is done. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#pending
  }

  #tick(): void {
    this.#pending ??= this.#save().finally(() => {
      this.#pending = undefined
    })
  }

  async #save(): Promise<void> {
    const { facts, log, answer } = this.#running
    const events = log.events.slice(this.#stored)
    try {
      const { stop, followedAt } = await this.#store.progress({
        turnId: facts.id,
        owner: facts.actor.did,
        sessionId: facts.sessionId,
        hasReader: this.#running.hasReader,
        usage: this.#running.used.usage,
        now: this.#now(),
        ...(events.length === 0
          ? {}
          : {
              answer: {
                id: facts.answerId,
                parts: answer.parts,
                metadata: { sessionId: facts.sessionId, turnId: facts.id },
              },
              events: { firstId: this.#stored + 1, body: events.join('\n') },
            }),
      })
      this.#stored += events.length
      this.#running.followedAt = followedAt
      if (stop) this.#running.cut('stopped')
    } catch (error) {
      this.#log.warn('a running turn could not be stored; it is tried again', { turn: facts.id, error })
    }
  }
}
