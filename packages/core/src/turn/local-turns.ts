import type { TokenReservation } from '../budgets/token-budgets.ts'
import { countedTokens } from '../budgets/token-usage-store.ts'
import { withinTime } from '../plugins/time-limit.ts'
import type { TurnResult } from '../plugins/turn.ts'
import type { BeginResult } from './claim-turn.ts'
import { performTurn } from './run-turn.ts'
import { RunningTurn } from './running-turn.ts'
import { closeCalls, leavesCalls } from './settle-calls.ts'
import { type ReadableTurn, type Refused, runningFactsOf, type StartTurn } from './start-turn.ts'
import type { TurnStart } from './turn.ts'
import type { TurnServices } from './turn-dependencies.ts'
import { TurnFinisher } from './turn-finisher.ts'
import type { AfterHooks, TurnHookRunner } from './turn-hooks.ts'
import type { TurnCalls } from './turn-notifier.ts'
import { TurnProgress } from './turn-progress.ts'
import { type EngineRefusal, refusals } from './turn-refusals.ts'
import type { TurnStore } from './turn-store.ts'

/** What `LocalTurns` rests on. */
export interface LocalTurnsParts {
  readonly store: TurnStore
  readonly services: TurnServices
  readonly hooks: TurnHookRunner
  readonly afterHooks: AfterHooks
  readonly modelName: string
  /** To and from the processes that share the database. */
  readonly calls: TurnCalls
}

/** A turn that is to begin. */
export interface TurnToBegin {
  readonly request: StartTurn
  readonly start: TurnStart
  readonly reserved: TokenReservation
}

/** Why a turn did not begin, as the store said it. */
export type NotBegun = Exclude<BeginResult, { kind: 'started' }>

type Started = Extract<BeginResult, { kind: 'started' }>

/** The longest that a timer can run, in milliseconds. */
const longestTimerMs = 2_147_483_647

/** The turns of this process, each from its claim in the database to its stored end. */
export class LocalTurns {
  readonly #parts: LocalTurnsParts
  readonly #finisher: TurnFinisher
  readonly #running = new Map<string, RunningTurn>()
  /** Turns that plugins are asked about; each resolves with their refusal. */
  readonly #admitting = new Map<string, Promise<EngineRefusal | undefined>>()
  /** Turns that are being claimed in the database. */
  readonly #beginning = new Map<string, Promise<unknown>>()
  #closing = false

  constructor(parts: LocalTurnsParts) {
    this.#parts = parts
    const { store, hooks, afterHooks, modelName, services } = parts
    const { now, log } = services
    const onStored = (turnId: string) => void this.#running.delete(turnId)
    this.#finisher = new TurnFinisher({ store, hooks, afterHooks, modelName, now, log, onStored })
  }

  /** How many run now. */
  get size(): number {
    return this.#running.size
  }

  /** How many read along with them now. */
  get openStreams(): number {
    return [...this.#running.values()].reduce((sum, { log }) => sum + log.readers, 0)
  }

  /** Whether no more begin, since the process is about to end. */
  get closing(): boolean {
    return this.#closing
  }

  /** Whether a turn is this process's to end. */
  has(turnId: string): boolean {
    return this.#running.has(turnId) || this.#admitting.has(turnId) || this.#beginning.has(turnId)
  }

  /** A turn that runs. */
  find(turnId: string): RunningTurn | undefined {
    return this.#running.get(turnId)
  }

  /** Waits until plugins have agreed to a turn or refused it; the refusal, if they did. */
  async admission(turnId: string): Promise<EngineRefusal | undefined> {
    return this.#admitting.get(turnId)
  }

  /** Whether plugins are being asked about a turn. */
  isAdmitting(turnId: string): boolean {
    return this.#admitting.has(turnId)
  }

  /**
   * Claims the session and runs the turn. Plugins are asked, and one that nobody can refuse any more runs, while its
   * beginning goes to disk; the promise, and with it the stream, waits for the disk.
   */
  async begin(turn: TurnToBegin): Promise<Refused | ReadableTurn | NotBegun> {
    const { start, reserved } = turn
    const early: { running?: RunningTurn; admission?: Promise<Refused | ReadableTurn> } = {}
    const beginning = this.#parts.store.begin(start, begun => {
      if (begun.kind !== 'started') return
      const running = this.#make(turn, begun)
      if (start.admitted) {
        early.running = running
        this.#launch(running, turn)
      } else {
        early.admission = this.#admit(running, turn)
        early.admission.catch(() => {})
      }
    })
    this.#beginning.set(start.turnId, beginning)
    try {
      const begun = await beginning
      const { running } = early
      if (running) return { turnId: start.turnId, log: running.log, running }
      if (early.admission) return await early.admission
      reserved.release(0)
      return begun as NotBegun
    } catch (error) {
      const admitted = await early.admission?.catch(() => undefined)
      const running = early.running ?? (admitted && 'running' in admitted ? admitted.running : undefined)
      if (running) running.cut('stopped')
      else if (!admitted) reserved.release(0)
      throw error
    } finally {
      this.#beginning.delete(start.turnId)
    }
  }

  /**
   * Takes no more turns, gives those that run so long to end by themselves, cuts the others with a final event, and waits
   * until all are stored and told to the plugins.
   *
   * @param graceMs In milliseconds.
   */
  async close(graceMs: number): Promise<void> {
    this.#closing = true
    await Promise.allSettled(this.#beginning.values())
    await new Promise(resolve => setImmediate(resolve))
    await Promise.allSettled(this.#admitting.values())
    const turns = [...this.#running.values()]
    const ended = Promise.all(turns.map(turn => turn.finished))
    await withinTime(() => ended, { limitMs: graceMs })
    for (const turn of turns) turn.cut('shutdown')
    await ended
    await this.#finisher.close()
  }

  #make({ request, start }: TurnToBegin, begun: Started): RunningTurn {
    const running = new RunningTurn(runningFactsOf(request, start, begun))
    running.watch = this.#parts.services.telemetry.turn({
      id: start.turnId,
      sessionId: request.sessionId,
      channel: request.channel,
      model: this.#parts.modelName,
    })
    return running
  }

  async #admit(running: RunningTurn, turn: TurnToBegin): Promise<Refused | ReadableTurn> {
    const { turnId } = turn.start
    const admission = this.#askPlugins(running, turn)
    this.#admitting.set(turnId, admission)
    const refused = await admission.finally(() => this.#admitting.delete(turnId))
    return refused ? { refused } : { turnId, log: running.log, running }
  }

  /** Launches a turn unless a plugin refuses it. Neither the message nor what it brings is kept before all have agreed. */
  async #askPlugins(running: RunningTurn, turn: TurnToBegin): Promise<EngineRefusal | undefined> {
    const { store, hooks } = this.#parts
    const { request, start, reserved } = turn
    const progress = this.#progressOf(running)
    let launched = false
    try {
      let refused: EngineRefusal | undefined = await hooks.before(running.turn)
      if (this.#closing) refused ??= refusals.shuttingDown
      const message = refused ? undefined : await request.completeMessage?.()
      const admitted = refused
        ? undefined
        : await store.admit(message ? { ...start, message } : start, result => {
            launched = result === 'admitted'
            if (launched) this.#launch(running, turn, progress)
          })
      if (admitted === 'message_id_taken') refused = refusals.messageIdTaken
      if (admitted === 'gone') refused = refusals.storageUnavailable
      if (refused) {
        reserved.release(0)
        await store.withdraw(start)
      }
      return refused
    } catch (error) {
      if (launched) {
        running.cut('stopped')
        throw error
      }
      const withdraw = () => store.withdraw(start)
      await withdraw().catch(() => void this.#finisher.keepTrying(start.turnId, withdraw))
      throw error
    } finally {
      if (!launched) void progress.stop()
    }
  }

  /** Shows other processes that a turn is alive, from the moment that it is claimed. */
  #progressOf(running: RunningTurn): TurnProgress {
    const { store, services, calls } = this.#parts
    return new TurnProgress({ running, store, calls, now: services.now, log: services.log })
  }

  #launch(running: RunningTurn, { request, reserved }: TurnToBegin, progress = this.#progressOf(running)): void {
    this.#running.set(running.facts.id, running)
    const { telemetry } = this.#parts.services
    const run = () => this.#run(running, request, progress)
    running.finished = running.watch ? telemetry.work.run(running.watch.work, run) : run()
    void running.finished.then(result => {
      reserved.release(countedTokens(result.usage))
      running.watch?.ended(result)
    })
  }

  async #run(running: RunningTurn, request: StartTurn, progress: TurnProgress): Promise<TurnResult> {
    const { services, calls } = this.#parts
    const limitMs = Math.min(request.timeLimitMs ?? services.limits.timeLimitMs, longestTimerMs)
    running.endsAt = services.now() + limitMs
    const limit = setTimeout(() => running.cut('time_limit'), limitMs)
    const onAbort = () => running.cut('stopped')
    if (request.signal?.aborted) onAbort()
    request.signal?.addEventListener('abort', onAbort, { once: true })
    const ending = await performTurn(running, services)
    clearTimeout(limit)
    request.signal?.removeEventListener('abort', onAbort)
    running.seal()
    if (leavesCalls(ending.outcome)) {
      const begun = await services.toolCalls.ofTurn(running.facts.id).catch(() => undefined)
      running.seal(closeCalls(running.answer.parts, ending.outcome, begun))
    }
    await progress.stop()
    const result = await this.#finisher.finish(running, ending, progress.nextEvent)
    if (progress.isWanted) calls.tell(running.facts.id)
    return result
  }
}
