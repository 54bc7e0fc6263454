import type { JsonValue } from '@sibyl/protocol'
import type { Actor } from '../auth/actor.ts'
import type { TokenBudgets, TokenReservation } from '../budgets/token-budgets.ts'
import { countedTokens } from '../budgets/token-usage-store.ts'
import { withinTime } from '../plugins/time-limit.ts'
import type { TurnResult } from '../plugins/turn.ts'
import type { Decision } from '../sessions/approval-store.ts'
import type { BeginResult, TurnStart } from '../sessions/begin-turn.ts'
import type { TurnRow, TurnStore } from '../sessions/turn-store.ts'
import { followStoredTurn, replayAnswer } from '../stream/stored-log.ts'
import type { TurnCalls } from '../stream/turn-calls.ts'
import { closeCalls, leavesCalls } from './close-calls.ts'
import { continueTurn } from './continue-turn.ts'
import { performTurn } from './perform-turn.ts'
import { RemoteTurns } from './remote-turns.ts'
import { RunningTurn } from './running-turn.ts'
import {
  questionToAnswer,
  type ReadableTurn,
  type Refused,
  runningFactsOf,
  type StartTurn,
  turnStartOf,
} from './start-turn.ts'
import { TurnFinisher } from './turn-finisher.ts'
import type { TurnHookRunner } from './turn-hooks.ts'
import { TurnProgress } from './turn-progress.ts'
import { type EngineRefusal, refusals } from './turn-refusals.ts'
import type { TurnServices } from './turn-services.ts'

/** What the engine rests on. */
export interface TurnEngineParts {
  readonly store: TurnStore
  readonly services: TurnServices
  readonly hooks: TurnHookRunner
  readonly budgets: TokenBudgets
  /** Why no model answers, when none is configured. */
  readonly modelProblem: string | undefined
  readonly modelName: string
  readonly processId: string
  /** To and from the processes that share the database. */
  readonly calls: TurnCalls
  /** Ends what dead processes left. */
  readonly recoverDead: () => Promise<unknown>
}

/** An answered approval: what of its turn still waits, or the turn that goes on. */
export interface Decided {
  readonly turnId: string
  readonly waiting: readonly string[]
  readonly turn?: ReadableTurn
}

/** A turn that has begun, and what it begins with. */
interface BegunTurn {
  readonly request: StartTurn
  readonly start: TurnStart
  readonly begun: Extract<BeginResult, { kind: 'started' }>
  readonly reserved: TokenReservation
}

/** How long the events of a finished turn can be read again, in milliseconds. */
export const eventsKeptMs = 600_000

/** The longest that a timer can run, in milliseconds. */
const longestTimerMs = 2_147_483_647

/** Starts, follows, stops and ends the turns of this process. */
export class TurnEngine {
  readonly #parts: TurnEngineParts
  readonly #finisher: TurnFinisher
  readonly #remote: RemoteTurns
  readonly #running = new Map<string, RunningTurn>()
  /** Turns that plugins are asked about; each resolves with their refusal. */
  readonly #admitting = new Map<string, Promise<EngineRefusal | undefined>>()
  /** Turns that are being claimed in the database. */
  readonly #beginning = new Set<Promise<unknown>>()
  #closing = false

  constructor(parts: TurnEngineParts) {
    this.#parts = parts
    const { store, hooks, modelName, services, calls, recoverDead } = parts
    this.#remote = new RemoteTurns({ store, calls, recoverDead })
    const onStored = (turnId: string) => void this.#running.delete(turnId)
    this.#finisher = new TurnFinisher({ store, hooks, modelName, now: services.now, log: services.log, onStored })
  }

  /** How many turns run now. */
  get runningTurns(): number {
    return this.#running.size
  }

  /** How many read along with them now. */
  get openStreams(): number {
    return [...this.#running.values()].reduce((sum, { log }) => sum + log.readers, 0)
  }

  /** Whether it refuses new turns, since it is about to end. */
  get closing(): boolean {
    return this.#closing
  }

  /** Whether a turn is this process's to end. */
  runsHere(turnId: string): boolean {
    return this.#running.has(turnId) || this.#admitting.has(turnId)
  }

  /** Another process wants to know how a turn stands. */
  called(turnId: string): void {
    this.#running.get(turnId)?.onCall()
  }

  /** Starts a turn, or finds the one that the same message started before. */
  async start(request: StartTurn): Promise<Refused | ReadableTurn> {
    const started = await this.#start(request)
    if ('refused' in started) {
      this.#parts.services.telemetry.metrics.turnRefused(request.channel, started.refused.code)
    }
    return started
  }

  async #start(request: StartTurn): Promise<Refused | ReadableTurn> {
    if (this.#closing) return { refused: refusals.shuttingDown }
    if (this.#parts.modelProblem !== undefined)
      return { refused: refusals.modelNotConfigured(this.#parts.modelProblem) }
    const { store, services, hooks, budgets, processId } = this.#parts
    const text = request.regenerate ? await questionToAnswer(services.sessions, request) : request.text
    if (text === undefined) return { refused: refusals.nothingToRegenerate }
    let { nonce } = request
    for (;;) {
      const reserved = await budgets.reserve(request.actor.did)
      if ('why' in reserved) {
        return (await this.#readBegun(request)) ?? { refused: refusals.tokenBudgetUsed(reserved) }
      }
      if (this.#closing) {
        reserved.release(0)
        return { refused: refusals.shuttingDown }
      }
      const start = turnStartOf({ ...request, text }, nonce, !hooks.hasBefore, processId, services.now())
      const beginning = store.begin(start)
      this.#beginning.add(beginning)
      const begun = await beginning
        .finally(() => this.#beginning.delete(beginning))
        .catch(error => {
          reserved.release(0)
          throw error
        })
      nonce = undefined
      if (begun.kind === 'started') return this.#admit({ request: { ...request, text }, start, begun, reserved })
      reserved.release(0)
      const refused = refusedBegin(begun)
      if (refused) return { refused }
      if (begun.kind === 'repeated') {
        const turn = await this.#readRepeated(begun.turnId)
        if (turn) return turn
      }
      if (begun.kind === 'busy') {
        const stillBusy = await this.#makeWay(begun.turnId, request)
        if (stillBusy) return { refused: stillBusy }
      }
    }
  }

  /** The turn to read for a client that comes back; undefined when there is nothing to read. */
  async resume(
    owner: string,
    sessionId: string,
    last?: { readonly turnId: string; readonly after: number },
  ): Promise<ReadableTurn | undefined> {
    if (!last) {
      const row = await this.#parts.store.findRunning(owner, sessionId)
      return row && this.#read(row)
    }
    const row = await this.#parts.store.find(last.turnId)
    if (!row || row.owner !== owner || row.sessionId !== sessionId) return undefined
    return row.endedAgoMs !== undefined && row.endedAgoMs > eventsKeptMs ? undefined : this.#read(row)
  }

  /** Stops the turn that runs in a session, or a certain one; false when none runs. */
  async stop(owner: string, target: { readonly sessionId: string } | { readonly turnId: string }): Promise<boolean> {
    const row =
      'turnId' in target
        ? await this.#parts.store.find(target.turnId)
        : await this.#parts.store.findRunning(owner, target.sessionId)
    if (row?.owner !== owner || row.status !== 'running') return false
    if (await this.#admitting.get(row.id)) return false
    const local = this.#running.get(row.id)
    if (local) {
      local.cut('stopped')
      await local.finished
    } else await this.#remote.stop(row.id)
    return true
  }

  /** Answers an approval question; the turn goes on once nothing else of it waits. */
  async decide(
    actor: Actor,
    approvalId: string,
    decision: Decision,
    data: JsonValue | undefined,
    options: { readonly sessionId?: string; readonly awaited: boolean },
  ): Promise<Refused | Decided> {
    const { approvals, sessions, now } = this.#parts.services
    const known = await approvals.find(actor.did, approvalId)
    if (!known || (options.sessionId !== undefined && known.sessionId !== options.sessionId)) {
      return { refused: refusals.approvalNotFound }
    }
    const decided = await approvals.decide(actor.did, approvalId, decision, data, now())
    if (!decided) return { refused: refusals.approvalNotFound }
    const { approval, ofTurn } = decided
    this.#parts.services.log.debug('an approval was decided', { approval: approvalId, turn: approval.turnId, decision })
    if (approval.state === 'withdrawn') return { refused: refusals.approvalWithdrawn }
    if (approval.state !== decision) return { refused: refusals.approvalDecided }
    const waiting = ofTurn.filter(one => one.state === 'open').map(one => one.id)
    if (waiting.length > 0) return { waiting, turnId: approval.turnId }
    const asked = await this.#ended(approval.turnId)
    if (!asked) return { refused: refusals.approvalNotFound }
    const turn = await this.start(await continueTurn(sessions, actor, asked, ofTurn, options.awaited))
    return 'refused' in turn ? turn : { waiting: [], turn, turnId: turn.turnId }
  }

  /**
   * Takes no more turns, gives those that run so long to end by themselves, cuts the others with a final event, and waits
   * until all are stored and told to the plugins.
   *
   * @param graceMs In milliseconds.
   */
  async close(graceMs: number): Promise<void> {
    this.#closing = true
    await Promise.allSettled(this.#beginning)
    await new Promise(resolve => setImmediate(resolve))
    await Promise.allSettled(this.#admitting.values())
    const turns = [...this.#running.values()]
    const ended = Promise.all(turns.map(turn => turn.finished))
    await withinTime(() => ended, { limitMs: graceMs })
    for (const turn of turns) turn.cut('shutdown')
    await ended
    await this.#finisher.close()
  }

  async #admit(begun: BegunTurn): Promise<Refused | ReadableTurn> {
    const { request, start } = begun
    const running = new RunningTurn(runningFactsOf(request, start, begun.begun))
    running.watch = this.#parts.services.telemetry.turn({
      id: start.turnId,
      sessionId: request.sessionId,
      channel: request.channel,
      model: this.#parts.modelName,
    })
    if (start.admitted) this.#launch(running, begun)
    else {
      const admission = this.#askPlugins(running, begun)
      this.#admitting.set(start.turnId, admission)
      const refused = await admission.finally(() => this.#admitting.delete(start.turnId))
      if (refused) return { refused }
    }
    return { turnId: start.turnId, log: running.log, running }
  }

  /** Launches a turn unless a plugin refuses it. Nothing is written before all have agreed. */
  async #askPlugins(running: RunningTurn, begun: BegunTurn): Promise<EngineRefusal | undefined> {
    const { store, hooks } = this.#parts
    const { start, reserved } = begun
    try {
      let refused: EngineRefusal | undefined = await hooks.before(running.turn)
      if (this.#closing) refused ??= refusals.shuttingDown
      const admitted = refused ? undefined : await store.admit(start)
      if (admitted === 'message_id_taken') refused = refusals.messageIdTaken
      if (admitted === 'gone') refused = refusals.storageUnavailable
      if (!refused) this.#launch(running, begun)
      else {
        reserved.release(0)
        await store.withdraw(start)
      }
      return refused
    } catch (error) {
      reserved.release(0)
      void this.#finisher.keepTrying(start.turnId, () => store.withdraw(start))
      throw error
    }
  }

  #launch(running: RunningTurn, { request, reserved }: BegunTurn): void {
    this.#running.set(running.facts.id, running)
    const { telemetry } = this.#parts.services
    const run = () => this.#run(running, request)
    running.finished = running.watch ? telemetry.work.run(running.watch.work, run) : run()
    void running.finished.then(result => {
      reserved.release(countedTokens(result.usage))
      running.watch?.ended(result)
    })
  }

  async #run(running: RunningTurn, request: StartTurn): Promise<TurnResult> {
    const { store, services, calls } = this.#parts
    const progress = new TurnProgress({ running, store, calls, now: services.now, log: services.log })
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

  /** Makes room in a busy session, or says why not. */
  async #makeWay(turnId: string, request: StartTurn): Promise<EngineRefusal | undefined> {
    const admission = this.#admitting.get(turnId)
    if (admission) {
      if (request.whenBusy !== 'queue') return refusals.turnRunning
      await admission
    }
    const local = this.#running.get(turnId)
    if (!local) return this.#remote.makeWay(turnId, request.whenBusy)
    if (local.log.ended) return refusals.storageUnavailable
    if (request.whenBusy === 'refuse' || (request.whenBusy === 'supersede' && local.hasReader)) {
      return refusals.turnRunning
    }
    if (request.whenBusy === 'supersede') local.cut('superseded')
    await local.finished
    return undefined
  }

  /** A turn once it has ended, wherever it runs. */
  async #ended(turnId: string): Promise<TurnRow | undefined> {
    await this.#running.get(turnId)?.finished
    return this.#remote.ended(turnId)
  }

  /** The turn that this very message started before, if any. */
  async #readBegun({ actor, sessionId, messageKey }: StartTurn): Promise<Refused | ReadableTurn | undefined> {
    if (messageKey === undefined) return undefined
    const row = await this.#parts.store.findByMessage(actor.did, sessionId, messageKey)
    return row && this.#readRepeated(row.id)
  }

  /** The turn that is there already for a message; undefined when it was taken back meanwhile. */
  async #readRepeated(turnId: string): Promise<Refused | ReadableTurn | undefined> {
    const refused = await this.#admitting.get(turnId)
    if (refused) return { refused }
    const row = await this.#parts.store.find(turnId)
    return row && this.#read(row)
  }

  async #read(row: TurnRow): Promise<ReadableTurn | undefined> {
    if (await this.#admitting.get(row.id)) return undefined
    const local = this.#running.get(row.id)
    if (local) return { turnId: row.id, log: local.log, running: local }
    const { store, services, calls, recoverDead } = this.#parts
    if (row.endedAgoMs !== undefined && (await store.eventsAfter(row.id, 0)).length === 0) {
      const messages = await services.sessions.messages(row.owner, row.sessionId)
      const answer = messages.find(message => message.id === row.answerId)
      return { turnId: row.id, log: replayAnswer(row, answer) }
    }
    return { turnId: row.id, log: await followStoredTurn(row, { store, calls, recoverDead }) }
  }
}

/** Why a turn could not begin at all. */
const refusedBegin = ({ kind }: BeginResult): EngineRefusal | undefined => {
  if (kind === 'replayed') return refusals.nonceSpent
  if (kind === 'message_id_taken') return refusals.messageIdTaken
  return kind === 'approval_withdrawn' ? refusals.approvalWithdrawn : undefined
}
