import type { RequestedTurn } from './requested-turn.ts'
import type { RunningTurn } from './running-turn.ts'
import type { StoreDependencies } from './store-dependencies.ts'

/** The members of a request that another process needs to continue its turn. */
type ResumableRequest = Pick<
  RequestedTurn,
  'note' | 'calls' | 'clientTools' | 'toolChoice' | 'capabilities' | 'answerSchema' | 'approvals' | 'timeLimitMs'
> & {
  /** Of a turn that continues after a question: the turn that asked, and the parts of its answer. */
  readonly continued: { readonly turnId: string; readonly parts: number } | undefined
}

/** Returns what another process needs to continue a turn, as JSON. */
export const resumableJson = (request: RequestedTurn): string => {
  const { note, calls, clientTools, toolChoice, capabilities, approvals, timeLimitMs, continues } = request
  const continued = continues && { turnId: continues.turnId, parts: continues.parts.length }
  const { check: _, ...answerSchema } = request.answerSchema ?? {}
  return JSON.stringify({
    ...{ note, calls, clientTools, toolChoice, capabilities, approvals, timeLimitMs, continued },
    ...(request.answerSchema ? { answerSchema } : {}),
  })
}

/** Reads what `resumableJson` returned. */
export const readResumable = (json: string): ResumableRequest => JSON.parse(json) as ResumableRequest

/** The interval of signs of life and of storing new events, in milliseconds. */
const beatMs = 1_000

/** The interval of storing new events for a reader in another process, in milliseconds; longer for long answers. */
const [followedMs, bytesPerMs] = [40, 10_000] as const

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
    this.#stored = running.stored?.events.length ?? 0
    this.#later()
  }

  /** The index of the first event that is not stored yet. */
  get nextIndex(): number {
    return this.#stored
  }

  /**
   * Stores all that the turn has so far, as a place from which another process can continue it.
   *
   * @param calls That of `TurnCheckpoint`.
   */
  async checkpoint(calls: boolean): Promise<void> {
    const running = this.#running
    running.reached(calls)
    if (calls) await this.store()
    else await this.#save()
  }

  /** Stores all that the turn has so far. */
  async store(): Promise<void> {
    await this.#saving
    clearTimeout(this.#timer)
    const saving = this.#store()
    this.#saving = saving
      .catch(() => {})
      .finally(() => {
        this.#saving = undefined
        this.#later()
      })
    await saving
  }

  get isWanted(): boolean {
    return this.#everCalled || this.#running.isFollowed
  }

  /** Stops storing; resolves when what was under way is done. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#saving
  }

  /** Stores what the turn has, and lets another process continue it; false where that is not stored. */
  async handOver(): Promise<boolean> {
    try {
      this.#running.handsOver()
      await this.store()
      await this.stop()
      await this.#dependencies.turns.handOver(this.#running.facts.id)
      return true
    } catch {
      return false
    }
  }

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
    else
      this.#saving = this.#save().finally(() => {
        this.#saving = undefined
        this.#later()
      })
  }

  #save(): Promise<void> {
    const { log } = this.#dependencies
    const turn = this.#running.facts.id
    return this.#store().catch(error =>
      log.warn('a running turn could not be stored; this is retried', { turn, error }),
    )
  }

  async #store(): Promise<void> {
    const running = this.#running
    const { turns, notifier, now } = this.#dependencies
    const { facts, answer, stream, checkpoint } = running
    const [wasCalled, first] = [this.#called, this.#stored]
    this.#called = false
    const events = stream.events.slice(first)
    const metadata = { sessionId: facts.sessionId, turnId: facts.id }
    const { stop, unfollowedMs } = await turns.progress({
      turnId: facts.id,
      owner: facts.actor.did,
      sessionId: facts.sessionId,
      hasReader: running.hasReader,
      usage: running.used.usage,
      tools: running.toolCounts,
      checkpoint,
      now: now(),
      mayContinue: running.mayContinue,
      ...(events.length > 0 && {
        answer: { id: facts.answerId, parts: answer.parts, metadata },
        events: { firstId: stream.numberOf(first), body: events.join('\n') },
      }),
    })
    this.#stored = first + events.length
    this.#storedAt = performance.now()
    running.followed(unfollowedMs)
    if (wasCalled || (running.isFollowed && events.length > 0)) notifier.notify(facts.id)
    if (stop) running.cut('stopped')
  }
}
