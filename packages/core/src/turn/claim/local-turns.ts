import { effectsText, type TurnResult } from '@sibyl/plugin'
import { TurnTimings } from '@sibyl/telemetry'
import type { StoredBytes } from '../../budgets/stored-bytes.ts'
import type { TokenBudgets, TokenReservation } from '../../budgets/token-budgets.ts'
import { countedTokens } from '../../budgets/token-usage-store.ts'
import { withinTime } from '../../time/time-limit.ts'
import { longestTimerMs } from '../calls/execute-tool.ts'
import { runTurn } from '../loop/run-turn.ts'
import type { LoopDependencies } from '../loop/turn-run.ts'
import type { RequestedTurn } from '../store/requested-turn.ts'
import { type ReadableTurn, RunningTurn } from '../store/running-turn.ts'
import { closeCalls } from '../store/tool-call-store.ts'
import { type ClaimedSession, leavesCalls, modelOf, type TurnClaim, type TurnRow } from '../store/turn.ts'
import { detailOf, TurnFinisher } from '../store/turn-finisher.ts'
import { TurnProgress } from '../store/turn-progress.ts'
import { type Refused, refusals, type TurnRefusal } from '../store/turn-refusals.ts'
import type { ClaimResult, ClaimStore } from './claim-turn.ts'
import { resumeTurn } from './resume-turn.ts'

/** Dependencies of turns from their claim to their end. */
export interface ClaimDependencies extends LoopDependencies {
  readonly claims: ClaimStore
  readonly budgets: TokenBudgets
  readonly stored: StoredBytes
  /** Whether another process can continue the turns of this one when it ends. */
  readonly handsOver: boolean
  /** The reason why no model answers, when none is configured. */
  readonly modelProblem: string | undefined
}

/** The reason why a session was not claimed. */
type NotClaimed = Exclude<ClaimResult, { kind: 'claimed' }>

/** A turn whose session is claimed; plugins may still refuse it. */
interface ClaimedTurn {
  readonly running: RunningTurn
  readonly progress: TurnProgress
  /** Resolves once plugins have agreed and that is on disk, or with their refusal. */
  readonly admission: Promise<Refused | ReadableTurn>
}

/** A turn that runs. */
interface LaunchedTurn extends ClaimedTurn, ReadableTurn {
  readonly finished: Promise<TurnResult>
}

/** The turns of this process, each from its claim in the database to its stored end. */
export class LocalTurns {
  readonly #dependencies: ClaimDependencies
  readonly #finisher: TurnFinisher
  /** The claims that the database is asked for. */
  readonly #claims = new Map<string, Promise<unknown>>()
  readonly #turns = new Map<string, ClaimedTurn | LaunchedTurn>()
  /** Turns of an earlier process, until tools can run. */
  #waiting: Map<string, () => void> | undefined = new Map()
  /** Resolves a moment after turns were handed over at the end of the process: jobs that wait for them are aborted first. */
  readonly handedOver = Promise.withResolvers<void>()
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

  /** Whether a turn is this process's to end, or may be one that it handed over at its own end. */
  has(turnId: string): boolean {
    return this.#closing || this.#claims.has(turnId) || this.#turns.has(turnId) || this.#waiting?.has(turnId) === true
  }

  /** A turn that runs. */
  find(turnId: string): LaunchedTurn | undefined {
    const turn = this.#turns.get(turnId)
    return turn && 'finished' in turn ? turn : undefined
  }

  /** Waits until plugins have agreed to a turn or refused it; the refusal, if they did. */
  async admission(turnId: string): Promise<TurnRefusal | undefined> {
    const admitted = await this.#turns.get(turnId)?.admission
    return admitted && 'refused' in admitted ? admitted.refused : undefined
  }

  /** Whether plugins are being asked about a turn. */
  isAdmitting(turnId: string): boolean {
    return this.#turns.get(turnId)?.running.phase === 'claimed'
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
    const timings = this.#dependencies.storesTimings ? new TurnTimings() : undefined
    let turn = undefined as ClaimedTurn | undefined
    const claiming = this.#dependencies.claims.claim(claim, result => {
      if (result.kind === 'claimed') turn = this.#begin(request, claim, result, reserved, timings)
    })
    this.#claims.set(turnId, claiming)
    try {
      const result = await claiming
      if (turn) return await turn.admission
      reserved.release(0)
      return result as NotClaimed
    } catch (error) {
      await turn?.admission.catch(() => undefined)
      if (turn && turn.running.phase !== 'claimed') turn.running.cut('stopped')
      else reserved.release(0)
      throw error
    } finally {
      this.#claims.delete(turnId)
      if (!turn?.running.isLaunched) this.#turns.delete(turnId)
    }
  }

  /**
   * Continues a turn whose process is gone.
   *
   * @param silentForMs That of `TurnToTakeOver`.
   * @returns false if no process can continue it
   */
  async resume(row: TurnRow, silentForMs: number | undefined): Promise<boolean> {
    if (this.#closing) return true
    const resuming = resumeTurn(this.#dependencies, row, silentForMs)
    this.#claims.set(row.id, resuming)
    const resumed = await resuming.finally(() => this.#claims.delete(row.id))
    if (typeof resumed === 'boolean') return resumed
    const { running, reserved } = resumed
    const launch = () => void this.#launch(running, new TurnProgress(running, this.#dependencies), reserved)
    if (this.#waiting) this.#waiting.set(row.id, launch)
    else launch()
    return true
  }

  /** Once tools can run: launches the turns that continue. */
  begin(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    for (const launch of waiting?.values() ?? []) launch()
  }

  /**
   * Rejects new turns, lets the others end within this time, and hands over those that another process can continue. Interrupts
   * the rest with a final event, and waits until all are stored and the hooks were called.
   *
   * @param graceMs In milliseconds.
   */
  async close(graceMs: number): Promise<void> {
    this.#closing = true
    await Promise.allSettled(this.#claims.values())
    await new Promise(resolve => setImmediate(resolve))
    await Promise.allSettled([...this.#turns.values()].map(({ admission }) => admission))
    const turns = this.#launched()
    const ended = Promise.all(turns.map(turn => turn.finished))
    await withinTime(() => ended, { limitMs: graceMs })
    for (const turn of turns) {
      const isOpen = turn.running.phase === 'running' || turn.running.phase === 'waiting'
      turn.running.cut(this.#dependencies.handsOver && isOpen ? 'handed_over' : 'shutdown')
    }
    await ended
    await this.#finisher.close()
    setTimeout(this.handedOver.resolve, 250)
  }

  #launched(): LaunchedTurn[] {
    return [...this.#turns.keys()].flatMap(turnId => this.find(turnId) ?? [])
  }

  /** Begins a turn with its claimed session: plugins are asked about it, or it is launched. */
  #begin(
    request: RequestedTurn,
    claim: TurnClaim,
    session: ClaimedSession,
    reserved: TokenReservation,
    timings: TurnTimings | undefined,
  ): ClaimedTurn {
    const { id, sessionId, channel } = claim
    const { telemetry, modelName } = this.#dependencies
    const watch = telemetry.turn({ id, sessionId, channel, model: modelOf(request, modelName) })
    const running = new RunningTurn(claim, request, session, { watch, timings })
    const progress = new TurnProgress(running, this.#dependencies)
    if (claim.admitted) return this.#launch(running, progress, reserved)
    timings?.prepares('admission')
    const turn = { running, progress, admission: this.#admit(running, progress, claim, reserved) }
    turn.admission.catch(() => {})
    this.#turns.set(id, turn)
    return turn
  }

  /** Launches a turn unless a plugin refuses it. Neither the message nor its attachments are stored before all have agreed. */
  async #admit(
    running: RunningTurn,
    progress: TurnProgress,
    claim: TurnClaim,
    reserved: TokenReservation,
  ): Promise<Refused | ReadableTurn> {
    const { claims, turns, hooks } = this.#dependencies
    let launched = undefined as LaunchedTurn | undefined
    try {
      let refused: TurnRefusal | undefined = await hooks.before(running.turn)
      if (this.#closing) refused ??= refusals.shuttingDown
      const message = refused ? undefined : await running.request.completeMessage?.()
      const admitted = refused
        ? undefined
        : await claims.admit(message ? { ...claim, message } : claim, result => {
            if (result === 'admitted') launched = this.#launch(running, progress, reserved)
          })
      if (launched) return launched
      if (admitted === 'message_id_taken') refused = refusals.messageIdTaken
      reserved.release(0)
      await turns.withdraw(claim)
      return { refused: refused ?? refusals.storageUnavailable }
    } catch (error) {
      if (launched) {
        running.cut('stopped')
        throw error
      }
      const withdraw = () => turns.withdraw(claim)
      await withdraw().catch(() => void this.#finisher.keepTrying(claim.id, withdraw))
      throw error
    } finally {
      if (!launched) void progress.stop()
    }
  }

  #launch(running: RunningTurn, progress: TurnProgress, reserved: TokenReservation): LaunchedTurn {
    const { limits, now, telemetry } = this.#dependencies
    const { id: turnId } = running.facts
    const limitMs = Math.min(running.request.timeLimitMs ?? limits.timeLimitMs, longestTimerMs)
    running.launched(now() + limitMs)
    running.timings?.prepares('prompt')
    const { stream, watch } = running
    const run = () => this.#run(running, progress, limitMs)
    const finished = watch ? telemetry.work.run(watch.work, run) : run()
    void finished.then(result => {
      reserved.release(countedTokens(result.usage))
      watch?.ended(result)
    })
    const readable = { turnId, stream, finished }
    const admission = this.#turns.get(turnId)?.admission ?? Promise.resolve(readable)
    const launched = { ...readable, running, progress, admission }
    this.#turns.set(turnId, launched)
    return launched
  }

  /**
   * Runs a turn to its stored end:
   *
   * 1. Runs it, within its time limit and until the caller's signal aborts.
   * 2. Hands it over to another process where this one ends.
   * 3. Closes the tool calls that have no result.
   * 4. Stores its end, and calls the process that waits for it.
   */
  async #run(running: RunningTurn, progress: TurnProgress, limitMs: number): Promise<TurnResult> {
    const { toolCalls, notifier } = this.#dependencies
    const { signal } = running.request
    const limit = setTimeout(() => running.cut('time_limit'), limitMs)
    const onAbort = () => running.cut('stopped')
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
    let ending = await runTurn(running, this.#dependencies, calls => progress.checkpoint(calls))
    clearTimeout(limit)
    signal?.removeEventListener('abort', onAbort)
    running.enter('ending')
    if (running.cutReason === 'handed_over' && (await progress.handOver())) {
      return this.#finisher.handedOver(running, ending)
    }
    if (leavesCalls(ending.outcome)) {
      const begun = await toolCalls.ofTurn(running.facts.id).catch(() => undefined)
      running.close(closeCalls(running.answer.parts, ending.outcome, begun))
      const hasActed = ending.outcome !== 'stopped' && begun?.size !== 0
      if (hasActed) ending = { ...ending, text: `${detailOf(ending)} ${effectsText}` }
    }
    await progress.stop()
    const result = await this.#finisher.finish(running, ending, progress.nextIndex)
    if (progress.isWanted) notifier.notify(running.facts.id)
    return result
  }
}
