import type { TurnResult } from '@sibyl/plugin'
import type { TokenReservation } from '../../budgets/token-budgets.ts'
import { countedTokens } from '../../budgets/token-usage-store.ts'
import { withinTime } from '../../time/time-limit.ts'
import { TurnTimings } from '../../timings/turn-timings.ts'
import { runTurn } from '../loop/run-turn.ts'
import { modelOf, type RequestedTurn } from '../store/requested-turn.ts'
import { type ReadableTurn, RunningTurn } from '../store/running-turn.ts'
import { closeCalls, leavesCalls } from '../store/settle-calls.ts'
import type { TurnClaim } from '../store/turn.ts'
import { TurnFinisher } from '../store/turn-finisher.ts'
import { TurnProgress } from '../store/turn-progress.ts'
import { type Refused, refusals, type TurnRefusal } from '../store/turn-refusals.ts'
import type { ClaimDependencies } from './claim-dependencies.ts'
import type { ClaimResult } from './claim-turn.ts'

/** The reason why a session was not claimed. */
export type NotClaimed = Exclude<ClaimResult, { kind: 'claimed' }>

/** The longest that a timer can run, in milliseconds. */
const longestTimerMs = 2_147_483_647

/** The turns of this process, each from its claim in the database to its stored end. */
export class LocalTurns {
  readonly #dependencies: ClaimDependencies
  readonly #finisher: TurnFinisher
  readonly #turns = new Map<string, RunningTurn>()
  #closing = false

  constructor(dependencies: ClaimDependencies) {
    this.#dependencies = dependencies
    this.#finisher = new TurnFinisher(dependencies, turnId => void this.#turns.delete(turnId))
  }

  /** The number of turns that run. */
  get size(): number {
    return this.#launched().length
  }

  /** The number of their readers. */
  get openStreams(): number {
    return this.#launched().reduce((sum, { stream }) => sum + stream.readers, 0)
  }

  /** Whether no more begin, since the process is about to end. */
  get closing(): boolean {
    return this.#closing
  }

  /** Whether a turn is this process's to end. */
  has(turnId: string): boolean {
    return this.#turns.has(turnId)
  }

  /** A turn that runs. */
  find(turnId: string): RunningTurn | undefined {
    const turn = this.#turns.get(turnId)
    return turn?.isLaunched ? turn : undefined
  }

  /** Waits until plugins have agreed to a turn or refused it; the refusal, if they did. */
  async admission(turnId: string): Promise<TurnRefusal | undefined> {
    return this.#turns.get(turnId)?.admission
  }

  /** Whether plugins are being asked about a turn. */
  isAdmitting(turnId: string): boolean {
    return this.#turns.get(turnId)?.phase === 'claimed'
  }

  /**
   * Claims the session and runs the turn:
   *
   * 1. The database claims the session.
   * 2. A moment before the claim is on disk, plugins are asked, or a turn that no plugin can refuse is launched.
   * 3. The returned promise, and with it the stream, waits for the disk.
   */
  async claim(
    request: RequestedTurn,
    claim: TurnClaim,
    reserved: TokenReservation,
  ): Promise<Refused | ReadableTurn | NotClaimed> {
    const { id: turnId } = claim
    const running = new RunningTurn(claim, request)
    if (this.#dependencies.storesTimings) running.timings = new TurnTimings()
    this.#turns.set(turnId, running)
    const claiming = this.#dependencies.claims.claim(claim, result => {
      if (result.kind !== 'claimed') return
      running.claimed(result)
      this.#watch(running)
      if (claim.admitted) this.#launch(running, reserved)
      else {
        running.timings?.prepares('admission')
        running.admission = this.#admit(running, claim, reserved)
        running.admission.catch(() => {})
      }
    })
    running.claiming = claiming
    try {
      const result = await claiming
      if (result.kind !== 'claimed') {
        reserved.release(0)
        return result
      }
      const refused = await running.admission
      return refused ? { refused } : { turnId, stream: running.stream, running }
    } catch (error) {
      await running.admission?.catch(() => undefined)
      if (running.phase === 'requested' || running.phase === 'claimed') reserved.release(0)
      else running.cut('stopped')
      throw error
    } finally {
      if (!running.isLaunched) this.#turns.delete(turnId)
    }
  }

  /**
   * Rejects new turns, lets the others end within this time, interrupts those that still run with a final event, and
   * waits until all are stored and the hooks were called.
   *
   * @param graceMs In milliseconds.
   */
  async close(graceMs: number): Promise<void> {
    this.#closing = true
    await Promise.allSettled([...this.#turns.values()].map(({ claiming }) => claiming))
    await new Promise(resolve => setImmediate(resolve))
    await Promise.allSettled([...this.#turns.values()].map(({ admission }) => admission))
    const turns = this.#launched()
    const ended = Promise.all(turns.map(turn => turn.finished))
    await withinTime(() => ended, { limitMs: graceMs })
    for (const turn of turns) turn.cut('shutdown')
    await ended
    await this.#finisher.close()
  }

  #launched(): RunningTurn[] {
    return [...this.#turns.values()].filter(({ isLaunched }) => isLaunched)
  }

  #watch(running: RunningTurn): void {
    const { telemetry, modelName } = this.#dependencies
    const { id, sessionId, channel } = running.facts
    running.watch = telemetry.turn({ id, sessionId, channel, model: modelOf(running.request, modelName) })
  }

  /** Launches a turn unless a plugin refuses it. Neither the message nor its attachments are stored before all have agreed. */
  async #admit(running: RunningTurn, claim: TurnClaim, reserved: TokenReservation): Promise<TurnRefusal | undefined> {
    const { claims, turns, hooks } = this.#dependencies
    const progress = new TurnProgress(running, this.#dependencies)
    const isLaunched = () => running.phase !== 'claimed'
    try {
      let refused: TurnRefusal | undefined = await hooks.before(running.turn)
      if (this.#closing) refused ??= refusals.shuttingDown
      const message = refused ? undefined : await running.request.completeMessage?.()
      const admitted = refused
        ? undefined
        : await claims.admit(message ? { ...claim, message } : claim, result => {
            if (result === 'admitted') this.#launch(running, reserved, progress)
          })
      if (admitted === 'message_id_taken') refused = refusals.messageIdTaken
      if (admitted === 'gone') refused = refusals.storageUnavailable
      if (refused) {
        reserved.release(0)
        await turns.withdraw(claim)
      }
      return refused
    } catch (error) {
      if (isLaunched()) {
        running.cut('stopped')
        throw error
      }
      const withdraw = () => turns.withdraw(claim)
      await withdraw().catch(() => void this.#finisher.keepTrying(claim.id, withdraw))
      throw error
    } finally {
      if (!isLaunched()) void progress.stop()
    }
  }

  /** @param progress Stores its progress; that of a turn with admission begins with the claim. */
  #launch(
    running: RunningTurn,
    reserved: TokenReservation,
    progress = new TurnProgress(running, this.#dependencies),
  ): void {
    running.launched()
    running.timings?.prepares('prompt')
    const run = () => this.#run(running, progress)
    const { work } = this.#dependencies.telemetry
    running.finished = running.watch ? work.run(running.watch.work, run) : run()
    void running.finished.then(result => {
      reserved.release(countedTokens(result.usage))
      running.watch?.ended(result)
    })
  }

  /**
   * Runs a turn to its stored end:
   *
   * 1. Runs it, within its time limit and until the caller's signal aborts.
   * 2. Closes the tool calls that have no result.
   * 3. Stores its end, and calls the process that waits for it.
   */
  async #run(running: RunningTurn, progress: TurnProgress): Promise<TurnResult> {
    const { limits, now, toolCalls, notifier } = this.#dependencies
    const { signal, timeLimitMs } = running.request
    const limitMs = Math.min(timeLimitMs ?? limits.timeLimitMs, longestTimerMs)
    running.endsAt = now() + limitMs
    const limit = setTimeout(() => running.cut('time_limit'), limitMs)
    const onAbort = () => running.cut('stopped')
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
    const ending = await runTurn(running, this.#dependencies)
    clearTimeout(limit)
    signal?.removeEventListener('abort', onAbort)
    running.ends()
    if (leavesCalls(ending.outcome)) {
      const begun = await toolCalls.ofTurn(running.facts.id).catch(() => undefined)
      running.close(closeCalls(running.answer.parts, ending.outcome, begun))
    }
    await progress.stop()
    const result = await this.#finisher.finish(running, ending, progress.nextEvent)
    if (progress.isWanted) notifier.notify(running.facts.id)
    return result
  }
}
