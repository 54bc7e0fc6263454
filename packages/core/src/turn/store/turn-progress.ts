import type { RunningTurn } from './running-turn.ts'
import type { StoreDependencies } from './store-dependencies.ts'

/** The interval of signs of life and of storing new events, in milliseconds. */
const beatMs = 1_000

/** The interval of storing new events for a reader in another process, in milliseconds; longer for long answers. */
const followedMs = 40
const bytesPerMs = 10_000

/**
 * Stores a running turn's events and answer now and then, so that a crash loses little of an answer, other processes
 * can follow it, and a stop asked for elsewhere is heard: every second, at once when another process calls, and all the
 * time while it is read there.
 */
export class TurnProgress {
  readonly #running: RunningTurn
  readonly #dependencies: StoreDependencies
  #timer: NodeJS.Timeout | undefined
  #stored = 0
  #storedAt = performance.now()
  #saving: Promise<void> | undefined
  #called = false
  #everCalled = false
  #stopped = false

  constructor(running: RunningTurn, dependencies: StoreDependencies) {
    this.#running = running
    this.#dependencies = dependencies
    this.#later()
  }

  /** The number of the first event that is not stored yet. */
  get nextEvent(): number {
    return this.#stored + 1
  }

  /** Whether another process wants to hear how the turn goes. */
  get isWanted(): boolean {
    return this.#everCalled || this.#running.isFollowed
  }

  /** Stops storing; resolves when what was under way is done. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#saving
  }

  /** Stores what is new, and answers the process that called. */
  answerCall(): void {
    this.#called = true
    this.#everCalled = true
    if (this.#saving === undefined) this.#tick()
  }

  #later(): void {
    if (this.#stopped) return
    const running = this.#running
    const delayMs = running.isFollowed ? Math.min(beatMs, followedMs + running.stream.bytes / bytesPerMs) : beatMs
    this.#timer = setTimeout(() => this.#tick(), this.#called ? 0 : delayMs).unref()
  }

  #tick(): void {
    clearTimeout(this.#timer)
    if (this.#stopped) return
    const isQuiet = this.#running.stream.events.length === this.#stored
    if (isQuiet && !this.#called && performance.now() - this.#storedAt < beatMs) this.#later()
    else {
      this.#saving = this.#save().finally(() => {
        this.#saving = undefined
        this.#later()
      })
    }
  }

  async #save(): Promise<void> {
    const running = this.#running
    const { turns, notifier, now, log } = this.#dependencies
    const { facts, answer } = running
    const wasCalled = this.#called
    this.#called = false
    const events = running.stream.events.slice(this.#stored)
    try {
      const { stop, unfollowedMs } = await turns.progress({
        turnId: facts.id,
        owner: facts.actor.did,
        sessionId: facts.sessionId,
        hasReader: running.hasReader,
        usage: running.used.usage,
        tools: running.toolCounts,
        now: now(),
        ...(events.length > 0 && {
          answer: {
            id: facts.answerId,
            parts: answer.parts,
            metadata: { sessionId: facts.sessionId, turnId: facts.id },
          },
          events: { firstId: this.#stored + 1, body: events.join('\n') },
        }),
      })
      this.#stored += events.length
      this.#storedAt = performance.now()
      running.followed(unfollowedMs)
      if (wasCalled || (running.isFollowed && events.length > 0)) notifier.notify(facts.id)
      if (stop) running.cut('stopped')
    } catch (error) {
      log.warn('a running turn could not be stored; this is retried', { turn: facts.id, error })
    }
  }
}
