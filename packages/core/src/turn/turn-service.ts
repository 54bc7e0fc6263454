import { type Actor, holdsAbility } from '@sibyl/plugin'
import type { WriteOptions } from '@sibyl/storage'
import type { SessionStore } from '../sessions/session-store.ts'
import { textOf } from '../sessions/stored-message.ts'
import { takenClientTool } from '../tools/core-tools.ts'
import { BoundCalls } from './approvals/bound-calls.ts'
import { type ContinueOptions, continueTurn } from './approvals/continue-turn.ts'
import { type ClaimResult, claimBytes, claimOf } from './claim/claim-turn.ts'
import type { ClaimDependencies, LocalTurns } from './claim/local-turns.ts'
import { RemoteTurns } from './claim/remote-turns.ts'
import type { Approval, ApprovalDecision, GivenWithDecision } from './store/approval-store.ts'
import type { RequestedTurn } from './store/requested-turn.ts'
import type { ReadableTurn } from './store/running-turn.ts'
import { modelOf, type TurnRow } from './store/turn.ts'
import { maxClientToolText, type Refused, refusals, type TurnRefusal } from './store/turn-refusals.ts'
import { TurnReader } from './turn-reader.ts'

/** The most late calls of clients that are ended in one run. */
const maxLateCalls = 50

/** An answered approval: what of its turn still waits, or the turn that goes on. */
export interface Decided {
  readonly turnId: string
  readonly waiting: readonly string[]
  readonly turn?: ReadableTurn
}

/** Why a turn cannot begin at all, by the result of its claim. */
const claimRefusals: Partial<Readonly<Record<ClaimResult['kind'], TurnRefusal>>> = {
  replayed: refusals.nonceSpent,
  message_id_taken: refusals.messageIdTaken,
  approval_withdrawn: refusals.approvalWithdrawn,
}

/** Starts, follows, stops and ends the turns of this process. */
export class TurnService {
  readonly #dependencies: ClaimDependencies
  readonly #local: LocalTurns
  readonly #remote: RemoteTurns
  readonly #reader: TurnReader
  readonly #boundCalls: BoundCalls

  /** @param recoverCrashed Continues the turns of crashed processes, or ends them. */
  constructor(dependencies: ClaimDependencies, local: LocalTurns, recoverCrashed: () => Promise<unknown>) {
    this.#dependencies = dependencies
    this.#local = local
    this.#remote = new RemoteTurns(dependencies.turns, dependencies.notifier, recoverCrashed)
    this.#reader = new TurnReader(dependencies, local, this.#remote, recoverCrashed)
    this.#boundCalls = new BoundCalls(dependencies, request => this.start(request))
    dependencies.notifier.onEvery(turnId => {
      local.find(turnId)?.progress.answerCall()
      void this.#boundCalls.called(turnId)
    })
  }

  /** The number of turns that run. */
  get runningTurns(): number {
    return this.#local.size
  }

  /** The number of their readers. */
  get openStreams(): number {
    return this.#local.openStreams
  }

  /** Whether it refuses new turns, since it is about to end. */
  get closing(): boolean {
    return this.#local.closing
  }

  /** That of `LocalTurns`. */
  get handedOver(): Promise<void> {
    return this.#local.handedOver.promise
  }

  /** Starts a turn, or finds the one that the same message started before. */
  async start(request: RequestedTurn): Promise<Refused | ReadableTurn> {
    const started = await this.#start(request)
    if ('refused' in started) {
      this.#dependencies.telemetry.metrics.turnRefused(request.channel, started.refused.code)
    }
    return started
  }

  /**
   * Starts a turn:
   *
   * 1. Refuses it while the process ends, or where it needs a model and none is configured.
   * 2. Reserves its tokens.
   * 3. Claims its session, and runs it.
   * 4. Where the same message started a turn before, returns that one.
   * 5. Where another turn runs in the session, waits for it, stops it or refuses, and tries again.
   */
  async #start(request: RequestedTurn): Promise<Refused | ReadableTurn> {
    const { sessions, hooks, budgets, stored, answerChecks, modelProblem, modelName, processes, now } =
      this.#dependencies
    if (this.closing) return { refused: refusals.shuttingDown }
    if (modelProblem !== undefined && !request.calls) return { refused: refusals.modelNotConfigured(modelProblem) }
    const { clientTools = [] } = request
    if (clientTools.length > 0 && JSON.stringify(clientTools).length > maxClientToolText) {
      return { refused: refusals.clientToolsTooLarge }
    }
    const taken = takenClientTool(clientTools, request.continues?.approvals)
    if (taken !== undefined) return { refused: refusals.clientToolTaken(taken) }
    const text = request.regenerate ? await questionToAnswer(sessions, request) : request.text
    if (text === undefined) return { refused: refusals.nothingToRegenerate }
    const admitted = !hooks.hasBefore && !request.completeMessage
    const { nonce, ...repeatable } = { ...request, text }
    const full = await stored.fullFor(request.actor, claimBytes({ ...request, text }) + inputBytes(request))
    if (full) return (await this.#reader.begun(request)) ?? { refused: refusals.spaceUsed(full) }
    if (request.answerSchema) await answerChecks.validate(request.answerSchema, request)
    for (let isFirst = true; ; isFirst = false) {
      const reserved = await budgets.reserve(request.actor)
      if ('why' in reserved) {
        return (await this.#reader.begun(request)) ?? { refused: refusals.tokenBudgetUsed(reserved) }
      }
      if (this.closing) {
        reserved.release(0)
        return { refused: refusals.shuttingDown }
      }
      const facts = { admitted, model: modelOf(request, modelName), processId: processes.ownId, startedAt: now() }
      const claim = claimOf({ ...repeatable, nonce: isFirst ? nonce : undefined }, facts)
      const result = await this.#local.claim(repeatable, claim, reserved)
      if (!('kind' in result)) return result
      const refused = claimRefusals[result.kind]
      if (refused) return { refused }
      if (result.kind === 'repeated') {
        const turn = await this.#reader.repeated(result.turnId)
        if (turn) return turn
      }
      if (result.kind === 'busy') {
        const stillBusy = await this.makeWay(result.turnId, request)
        if (stillBusy) return { refused: stillBusy }
      }
    }
  }

  /** Returns the turn to read for a client that comes back, as `TurnReader` does. */
  resume(...request: Parameters<TurnReader['resume']>): Promise<ReadableTurn | undefined> {
    return this.#reader.resume(...request)
  }

  /** Returns a turn of a person to read from its first event; undefined when it does not exist. */
  async follow(owner: string, turnId: string): Promise<ReadableTurn | undefined> {
    const row = await this.#dependencies.turns.find(turnId)
    const turn = row?.owner === owner ? await this.#reader.read(row) : undefined
    return turn && 'refused' in turn ? undefined : turn
  }

  /** Stops the turn that runs in a session, or a certain one; false when none runs. */
  async stop(owner: string, target: { readonly sessionId: string } | { readonly turnId: string }): Promise<boolean> {
    const row =
      'turnId' in target
        ? await this.#dependencies.turns.find(target.turnId)
        : await this.#dependencies.turns.findRunning(owner, target.sessionId)
    if (row?.owner !== owner || row.status !== 'running') return false
    if (await this.#local.admission(row.id)) return false
    const local = this.#local.find(row.id)
    if (local) {
      local.running.cut('stopped')
      await local.finished
    } else await this.#remote.stop(row.id)
    return true
  }

  /**
   * Stops the running turn of a session, and removes the session with its data; false if it does not exist.
   *
   * @param log That of `removeSession`.
   */
  async forget(owner: string, sessionId: string, log?: WriteOptions<unknown>['log']): Promise<boolean> {
    const { sessions, notifier } = this.#dependencies
    await this.stop(owner, { sessionId })
    const isRemoved = await sessions.remove(owner, sessionId, log)
    if (isRemoved) notifier.toolsChanged(owner, sessionId)
    return isRemoved
  }

  /** Returns the calls of a session that wait for a person or for the client. */
  openCalls(owner: string, sessionId: string): Promise<readonly Approval[]> {
    return this.#dependencies.approvals.openOf(owner, sessionId)
  }

  /** Answers an approval question; the turn goes on once nothing else of it waits. */
  async decide(
    actor: Actor,
    approvalId: string,
    decision: ApprovalDecision,
    given: GivenWithDecision,
    {
      maxQuestion,
      ...options
    }: ContinueOptions & { readonly sessionId?: string | undefined; readonly maxQuestion?: number | undefined },
  ): Promise<Refused | Decided> {
    const { approvals, stored, log, now } = this.#dependencies
    const known = await approvals.find(actor.did, approvalId)
    if (!known || (options.sessionId !== undefined && known.sessionId !== options.sessionId)) {
      return { refused: refusals.approvalNotFound }
    }
    if (decision !== 'deny' && !holdsAbility(actor.scopes, known.abilities)) {
      return { refused: refusals.mayNotApprove(known) }
    }
    const isShown = known.kind === 'client' || known.question.length <= (maxQuestion ?? Number.POSITIVE_INFINITY)
    if (decision !== 'deny' && !isShown) return { refused: refusals.approvalNotShown }
    const ended = decision === 'deny' ? undefined : await this.#grantEnd(known.turnId)
    if (ended) return { refused: ended }
    const full = given.data === undefined ? undefined : await stored.fullFor(actor, JSON.stringify(given).length)
    if (full) return { refused: refusals.spaceUsed(full) }
    const decided = await approvals.decide(actor, approvalId, decision, given, now())
    if (!decided) return { refused: refusals.approvalNotFound }
    const { approval, ofTurn } = decided
    log.debug('an approval was decided', { approval: approvalId, turn: approval.turnId, decision })
    if (approval.state === 'withdrawn') return { refused: refusals.approvalWithdrawn }
    if (approval.state !== decision) return { refused: refusals.approvalDecided }
    const waiting = ofTurn.filter(one => one.state === 'open').map(one => one.id)
    if (waiting.length > 0) return { waiting, turnId: approval.turnId }
    const asked = await this.#ended(approval.turnId)
    if (!asked) return { refused: refusals.approvalNotFound }
    const next = await continueTurn(this.#dependencies, actor, asked, ofTurn, options)
    const elsewhere = await this.#boundCalls.goneOn(next, ofTurn)
    const turn = (elsewhere && (await this.#reader.repeated(elsewhere.id))) ?? (await this.start(next))
    return 'refused' in turn ? turn : { waiting: [], turn, turnId: turn.turnId }
  }

  /** Gives calls of clients that returned no result in time an error as their result; their turns continue with it. */
  async endLateClientCalls(): Promise<void> {
    const { approvals, turns, limits, log, now } = this.#dependencies
    const limitMs = limits.clientToolTimeLimitMs
    for (const { id, turnId, tool } of await approvals.lateClientCalls(now() - limitMs, maxLateCalls)) {
      const asked = await turns.find(turnId)
      if (!asked) continue
      const data = { error: `It returned no result within ${limitMs / 1000} s.` }
      const decided = await this.decide(asked.actor, id, 'once', { data }, { awaited: false })
      // A turn whose rights have ended does not continue; its call is closed all the same.
      if ('refused' in decided) await approvals.decide(asked.actor, id, 'deny', {}, now())
      log.info('a client returned no result in time', { turn: turnId, tool })
    }
  }

  /** Ends the turns of this process, as `LocalTurns` does. @param graceMs In milliseconds. */
  close(graceMs: number): Promise<void> {
    return this.#local.close(graceMs)
  }

  /** Makes room in a busy session, or says why not. */
  async makeWay(turnId: string, request: Pick<RequestedTurn, 'whenBusy'>): Promise<TurnRefusal | undefined> {
    if (this.#local.isAdmitting(turnId)) {
      if (request.whenBusy !== 'queue') return refusals.turnRunning
      await this.#local.admission(turnId)
    }
    const local = this.#local.find(turnId)
    if (!local) return this.#remote.makeWay(turnId, request.whenBusy)
    if (local.stream.ended) return refusals.storageUnavailable
    if (request.whenBusy === 'refuse' || (request.whenBusy === 'supersede' && local.running.hasReader)) {
      return refusals.turnRunning
    }
    if (request.whenBusy === 'supersede') local.running.cut('superseded')
    await local.finished
    return undefined
  }

  /** Returns why the grant has ended that a turn asked under. */
  async #grantEnd(turnId: string): Promise<TurnRefusal | undefined> {
    const { turns, checkGrant } = this.#dependencies
    const asked = await turns.find(turnId)
    const verdict = asked && (await checkGrant(asked.actor))
    return verdict && !verdict.holds ? verdict.refusal : undefined
  }

  /** A turn once it has ended, wherever it runs. */
  async #ended(turnId: string): Promise<TurnRow | undefined> {
    await this.#local.find(turnId)?.finished
    return this.#remote.ended(turnId)
  }
}

/** Returns what the calls of a client bring, in bytes; it is counted with the answer. */
const inputBytes = ({ calls }: RequestedTurn): number => (calls ? Buffer.byteLength(JSON.stringify(calls)) : 0)

/** Returns the stored question that is to be answered again; the client's history does not count. */
const questionToAnswer = async (
  sessions: SessionStore,
  { actor, sessionId, regenerate }: RequestedTurn,
): Promise<string | undefined> => {
  const messages = await sessions.messages(actor.did, sessionId)
  const named = messages.findIndex(message => message.id === regenerate?.messageId)
  const before = named < 0 ? messages : messages.slice(0, named + 1)
  const asked = before.findLast(message => message.role === 'user')
  return asked && textOf(asked.parts)
}
