import type { Actor } from '../auth/actor.ts'
import { holdsAbility } from '../auth/holds-ability.ts'
import type { TokenBudgets } from '../budgets/token-budgets.ts'
import type { Decision, GivenWithDecision } from './approval-store.ts'
import type { BoundCalls } from './bound-calls.ts'
import { continueTurn } from './continue-turn.ts'
import { LocalTurns, type LocalTurnsParts } from './local-turns.ts'
import { RemoteTurns } from './remote-turns.ts'
import { questionToAnswer, type ReadableTurn, type Refused, type StartTurn, turnStartOf } from './start-turn.ts'
import type { TurnRow } from './turn.ts'
import type { TurnServices } from './turn-dependencies.ts'
import { eventsKeptMs, TurnReader } from './turn-reader.ts'
import { type EngineRefusal, refusals, refusedBegin } from './turn-refusals.ts'

/** What the engine rests on. */
export interface TurnEngineParts extends LocalTurnsParts {
  readonly budgets: TokenBudgets
  /** Why no model answers, when none is configured. */
  readonly modelProblem: string | undefined
  readonly processId: string
  /** Ends what dead processes left. */
  readonly recoverDead: () => Promise<unknown>
  readonly boundCalls: BoundCalls
}

/** An answered approval: what of its turn still waits, or the turn that goes on. */
export interface Decided {
  readonly turnId: string
  readonly waiting: readonly string[]
  readonly turn?: ReadableTurn
}

/** Starts, follows, stops and ends the turns of this process. */
export class TurnEngine {
  readonly #parts: TurnEngineParts
  readonly #remote: RemoteTurns
  /** The turns that run in this process. */
  readonly #local: LocalTurns
  readonly #reader: TurnReader

  constructor(parts: TurnEngineParts) {
    this.#parts = parts
    const { store, calls, recoverDead } = parts
    this.#remote = new RemoteTurns({ store, calls, recoverDead })
    this.#local = new LocalTurns(parts)
    this.#reader = new TurnReader({ ...parts, local: this.#local, remote: this.#remote })
  }

  /** How many turns run now. */
  get runningTurns(): number {
    return this.#local.size
  }

  /** How many read along with them now. */
  get openStreams(): number {
    return this.#local.openStreams
  }

  /** Whether it refuses new turns, since it is about to end. */
  get closing(): boolean {
    return this.#local.closing
  }

  /** Whether a turn is this process's to end. */
  runsHere(turnId: string): boolean {
    return this.#local.has(turnId)
  }

  /** Another process wants to know how a turn stands. */
  called(turnId: string): void {
    this.#local.find(turnId)?.onCall()
    void this.#parts.boundCalls.called(turnId)
  }

  /** What its turns rest on. */
  get services(): TurnServices {
    return this.#parts.services
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
    if (this.closing) return { refused: refusals.shuttingDown }
    if (this.#parts.modelProblem !== undefined)
      return { refused: refusals.modelNotConfigured(this.#parts.modelProblem) }
    const { services, hooks, budgets, modelName, processId } = this.#parts
    const text = request.regenerate ? await questionToAnswer(services.sessions, request) : request.text
    if (text === undefined) return { refused: refusals.nothingToRegenerate }
    let { nonce } = request
    for (;;) {
      const reserved = await budgets.reserve(request.actor)
      if ('why' in reserved) {
        return (await this.#reader.begun(request)) ?? { refused: refusals.tokenBudgetUsed(reserved) }
      }
      if (this.closing) {
        reserved.release(0)
        return { refused: refusals.shuttingDown }
      }
      const admitted = !hooks.hasBefore && !request.completeMessage
      const start = turnStartOf({ ...request, text }, nonce, admitted, modelName, processId, services.now())
      const begun = await this.#local.begin({ request: { ...request, text }, start, reserved })
      nonce = undefined
      if (!('kind' in begun)) return begun
      const refused = refusedBegin(begun)
      if (refused) return { refused }
      if (begun.kind === 'repeated') {
        const turn = await this.#reader.repeated(begun.turnId)
        if (turn) return turn
      }
      if (begun.kind === 'busy') {
        const stillBusy = await this.makeWay(begun.turnId, request)
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
    const row = last ? await this.#parts.store.find(last.turnId) : await this.#parts.store.findRunning(owner, sessionId)
    if (!row || row.owner !== owner || row.sessionId !== sessionId) return undefined
    if (row.endedAgoMs !== undefined && row.endedAgoMs > eventsKeptMs) return undefined
    const turn = await this.#reader.read(row, last?.after)
    return turn && 'refused' in turn ? undefined : turn
  }

  /** Stops the turn that runs in a session, or a certain one; false when none runs. */
  async stop(owner: string, target: { readonly sessionId: string } | { readonly turnId: string }): Promise<boolean> {
    const row =
      'turnId' in target
        ? await this.#parts.store.find(target.turnId)
        : await this.#parts.store.findRunning(owner, target.sessionId)
    if (row?.owner !== owner || row.status !== 'running') return false
    if (await this.#local.admission(row.id)) return false
    const local = this.#local.find(row.id)
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
    given: GivenWithDecision,
    options: { readonly sessionId?: string; readonly awaited: boolean },
  ): Promise<Refused | Decided> {
    const { approvals, sessions, checkGrant, now } = this.#parts.services
    const known = await approvals.find(actor.did, approvalId)
    if (!known || (options.sessionId !== undefined && known.sessionId !== options.sessionId)) {
      return { refused: refusals.approvalNotFound }
    }
    if (decision !== 'deny' && !holdsAbility(actor.scopes, known.abilities)) {
      return { refused: refusals.mayNotApprove(known) }
    }
    const ended = decision === 'deny' ? undefined : await this.#grantEnd(known.turnId)
    if (ended) return { refused: ended }
    const decided = await approvals.decide(actor, approvalId, decision, given, now())
    if (!decided) return { refused: refusals.approvalNotFound }
    const { approval, ofTurn } = decided
    this.#parts.services.log.debug('an approval was decided', { approval: approvalId, turn: approval.turnId, decision })
    if (approval.state === 'withdrawn') return { refused: refusals.approvalWithdrawn }
    if (approval.state !== decision) return { refused: refusals.approvalDecided }
    const waiting = ofTurn.filter(one => one.state === 'open').map(one => one.id)
    if (waiting.length > 0) return { waiting, turnId: approval.turnId }
    const asked = await this.#ended(approval.turnId)
    if (!asked) return { refused: refusals.approvalNotFound }
    const next = await continueTurn({ sessions, checkGrant }, actor, asked, ofTurn, options.awaited)
    const elsewhere = await this.#parts.boundCalls.goneOn(next, ofTurn)
    const turn = (elsewhere && (await this.#reader.repeated(elsewhere.id))) ?? (await this.start(next))
    return 'refused' in turn ? turn : { waiting: [], turn, turnId: turn.turnId }
  }

  /**
   * Takes no more turns, gives those that run so long to end by themselves, cuts the others with a final event, and waits
   * until all are stored and told to the plugins.
   *
   * @param graceMs In milliseconds.
   */
  close(graceMs: number): Promise<void> {
    return this.#local.close(graceMs)
  }

  /** Makes room in a busy session, or says why not. */
  async makeWay(turnId: string, request: Pick<StartTurn, 'whenBusy'>): Promise<EngineRefusal | undefined> {
    if (this.#local.isAdmitting(turnId)) {
      if (request.whenBusy !== 'queue') return refusals.turnRunning
      await this.#local.admission(turnId)
    }
    const local = this.#local.find(turnId)
    if (!local) return this.#remote.makeWay(turnId, request.whenBusy)
    if (local.log.ended) return refusals.storageUnavailable
    if (request.whenBusy === 'refuse' || (request.whenBusy === 'supersede' && local.hasReader)) {
      return refusals.turnRunning
    }
    if (request.whenBusy === 'supersede') local.cut('superseded')
    await local.finished
    return undefined
  }

  /** Why the right has ended that a turn asked under. */
  async #grantEnd(turnId: string): Promise<EngineRefusal | undefined> {
    const { store, services } = this.#parts
    const asked = await store.find(turnId)
    const verdict = asked && (await services.checkGrant(asked.actor))
    return verdict && !verdict.holds ? verdict.refusal : undefined
  }

  /** A turn once it has ended, wherever it runs. */
  async #ended(turnId: string): Promise<TurnRow | undefined> {
    await this.#local.find(turnId)?.finished
    return this.#remote.ended(turnId)
  }
}
