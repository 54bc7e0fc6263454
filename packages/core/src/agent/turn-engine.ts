import { randomBytes } from 'node:crypto'
import type { MessageMetadata } from '@sibyl/protocol'
import type { Actor } from '../auth/actor.ts'
import type { Channel, TurnResult } from '../plugins/turn.ts'
import type { Decision } from '../sessions/approval-store.ts'
import { type MessagePart, textOf } from '../sessions/turn-message.ts'
import type { BeginResult, SpentNonce, TurnRow, TurnStore } from '../sessions/turn-store.ts'
import { followStoredTurn, replayAnswer } from '../stream/stored-log.ts'
import type { TurnLog } from '../stream/turn-log.ts'
import { performTurn, type TurnServices } from './perform-turn.ts'
import { RunningTurn, type RunningTurnFacts } from './running-turn.ts'
import { type CutReason, finalEvent, type TurnEnding } from './turn-ending.ts'
import type { TurnHookRunner } from './turn-hooks.ts'
import { TurnProgress } from './turn-progress.ts'
import { type EngineRefusal, refusals } from './turn-refusals.ts'

/** What the engine rests on. */
export interface TurnEngineParts {
  readonly store: TurnStore
  readonly services: TurnServices
  readonly hooks: TurnHookRunner
  /** Why no model answers, when none is configured. */
  readonly modelProblem: string | undefined
  readonly modelName: string
  readonly processId: string
  /** Whether other processes may share the database. */
  readonly shared: boolean
}

/** A turn to start. */
export interface StartTurn {
  readonly actor: Actor
  readonly sessionId: string
  readonly channel: Channel
  readonly text: string
  readonly message?: { readonly id: string; readonly parts: readonly MessagePart[] }
  readonly messageKey?: string
  readonly nonce?: SpentNonce
  readonly regenerate?: boolean
  /** When a turn runs there: wait, refuse, or refuse only while somebody reads it and stop it otherwise. */
  readonly whenBusy: 'queue' | 'refuse' | 'supersede'
  readonly approvals: 'ask' | 'deny'
  readonly timeLimitMs?: number
  readonly signal?: AbortSignal
  readonly continues?: RunningTurnFacts['continues'] & { readonly answerId: string }
  /** Whether the caller waits for the end rather than reads the stream. */
  readonly awaited: boolean
}

/** A turn to read: new, running or over. */
export interface ReadableTurn {
  readonly turnId: string
  readonly log: TurnLog
  /** Set while the turn runs in this process. */
  readonly running?: RunningTurn
}

/** A refusal instead of a turn. */
export interface Refused {
  readonly refused: EngineRefusal
}

/** After this long without a sign of life, a turn's process counts as dead, in milliseconds. */
export const deadAfterMs = 15_000

/** How long the events of a finished turn can be read again, in milliseconds. */
export const eventsKeptMs = 600_000

/** Starts, follows, stops and ends the turns of this process. */
export class TurnEngine {
  readonly #parts: TurnEngineParts
  readonly #running = new Map<string, RunningTurn>()
  #closing = false

  constructor(parts: TurnEngineParts) {
    this.#parts = parts
  }

  /** How many turns run now. */
  get runningTurns(): number {
    return this.#running.size
  }

  /** Starts a turn, or finds the one that the same message started before. */
  async start(request: StartTurn): Promise<Refused | ReadableTurn> {
    if (this.#closing) return { refused: refusals.shuttingDown }
    if (this.#parts.modelProblem !== undefined)
      return { refused: refusals.modelNotConfigured(this.#parts.modelProblem) }
    const { text } = request.regenerate ? await this.#lastQuestion(request) : request
    if (text === undefined) return { refused: refusals.nothingToRegenerate }
    const turnId = `turn_${randomBytes(12).toString('base64url')}`
    const answerId = request.continues?.answerId ?? `msg_${randomBytes(12).toString('base64url')}`
    let { nonce } = request
    for (;;) {
      const now = this.#parts.services.now()
      const begun = await this.#parts.store.begin({
        turnId,
        answerId,
        actor: request.actor,
        sessionId: request.sessionId,
        channel: request.channel,
        text,
        ...(request.message ? { message: request.message } : {}),
        ...(request.messageKey === undefined ? {} : { messageKey: request.messageKey }),
        ...(nonce ? { nonce } : {}),
        ...(request.regenerate ? { regenerate: true } : {}),
        processId: this.#parts.processId,
        now,
      })
      nonce = undefined
      if (begun.kind === 'started') return this.#admit({ ...request, text }, turnId, answerId, begun, now)
      if (begun.kind === 'replayed') return { refused: refusals.nonceSpent }
      if (begun.kind === 'message_id_taken') return { refused: refusals.messageIdTaken }
      if (begun.kind === 'repeated') return this.#readRepeated(begun.turnId)
      const refused = await this.#makeWay(begun.turnId, request)
      if (refused) return { refused }
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
    const age = this.#parts.services.now() - (row.endedAt ?? Number.POSITIVE_INFINITY)
    return age > eventsKeptMs ? undefined : this.#read(row)
  }

  /** Stops the turn that runs in a session, or a certain one; false when none runs. */
  async stop(owner: string, target: { readonly sessionId: string } | { readonly turnId: string }): Promise<boolean> {
    const row =
      'turnId' in target
        ? await this.#parts.store.find(target.turnId)
        : await this.#parts.store.findRunning(owner, target.sessionId)
    if (row?.owner !== owner || row.status !== 'running') return false
    await this.#stopRow(row, 'stopped')
    return true
  }

  /** Answers an approval question; the turn goes on once nothing else of it waits. */
  async decide(
    actor: Actor,
    approvalId: string,
    decision: Decision,
    data: Parameters<TurnServices['approvals']['decide']>[3],
    options: { readonly sessionId?: string; readonly awaited: boolean },
  ): Promise<Refused | { readonly waiting: readonly string[]; readonly turn?: ReadableTurn; readonly turnId: string }> {
    const { approvals, sessions, now } = this.#parts.services
    const decided = await approvals.decide(actor.did, approvalId, decision, data, now())
    if (!decided || (options.sessionId !== undefined && decided.approval.sessionId !== options.sessionId)) {
      return { refused: refusals.approvalNotFound }
    }
    const { approval, ofTurn } = decided
    if (approval.state === 'withdrawn') return { refused: refusals.approvalWithdrawn }
    if (approval.state !== decision) return { refused: refusals.approvalDecided }
    const waiting = ofTurn.filter(one => one.state === 'open').map(one => one.id)
    if (waiting.length > 0) return { waiting, turnId: approval.turnId }
    const asked = await this.#parts.store.find(approval.turnId)
    if (!asked) return { refused: refusals.approvalNotFound }
    await this.#running.get(asked.id)?.finished
    const messages = await sessions.messages(actor.did, asked.sessionId)
    const answer = messages.find(message => message.id === asked.answerId)
    const order = (answer?.parts ?? []).map(part => part.toolCallId)
    const turn = await this.start({
      actor,
      sessionId: asked.sessionId,
      channel: asked.channel,
      text: asked.text,
      messageKey: `approval/${asked.id}`,
      whenBusy: 'queue',
      approvals: 'ask',
      continues: {
        approvals: [...ofTurn].sort((one, other) => order.indexOf(one.toolCallId) - order.indexOf(other.toolCallId)),
        parts: answer?.parts ?? [],
        answerId: asked.answerId,
      },
      awaited: options.awaited,
    })
    return 'refused' in turn ? turn : { waiting: [], turn, turnId: turn.turnId }
  }

  /** Ends every running turn with a final event and waits until all are stored. */
  async close(): Promise<void> {
    this.#closing = true
    const turns = [...this.#running.values()]
    for (const turn of turns) turn.cut('shutdown')
    await Promise.all(turns.map(turn => turn.finished))
  }

  /** What the person asked last, as it is stored; the client's history does not count. */
  async #lastQuestion({ actor, sessionId }: StartTurn): Promise<{ readonly text?: string }> {
    const messages = await this.#parts.services.sessions.messages(actor.did, sessionId)
    const asked = messages.findLast(message => message.role === 'user')
    return asked ? { text: textOf(asked.parts) } : {}
  }

  async #admit(
    request: StartTurn,
    turnId: string,
    answerId: string,
    begun: Extract<BeginResult, { kind: 'started' }>,
    now: number,
  ): Promise<Refused | ReadableTurn> {
    const running = new RunningTurn({
      id: turnId,
      actor: request.actor,
      sessionId: request.sessionId,
      answerId,
      text: request.text,
      channel: request.channel,
      approvals: request.approvals,
      loadedPlugins: begun.loadedPlugins,
      approvedTools: begun.approvedTools,
      firstTurn: begun.createdSession && !request.continues,
      startedAt: now,
      awaited: request.awaited,
      ...(request.continues ? { continues: request.continues } : {}),
    })
    const refused = await this.#parts.hooks.before(running.turn)
    if (refused) {
      await this.#parts.store.withdraw(turnId, request.actor.did, request.sessionId)
      return { refused }
    }
    this.#running.set(turnId, running)
    running.finished = this.#run(running, request)
    return { turnId, log: running.log, running }
  }

  async #run(running: RunningTurn, request: StartTurn): Promise<TurnResult> {
    const { store, services, hooks } = this.#parts
    const progress = new TurnProgress(running, store, this.#parts.shared ? 150 : 1_000, services.now, services.log)
    const limit = setTimeout(() => running.cut('time_limit'), request.timeLimitMs ?? services.limits.timeLimitMs)
    const onAbort = () => running.cut('stopped')
    if (request.signal?.aborted) onAbort()
    request.signal?.addEventListener('abort', onAbort, { once: true })
    const ending = await performTurn(running, services)
    clearTimeout(limit)
    request.signal?.removeEventListener('abort', onAbort)
    await progress.stop()
    await this.#finish(running, ending, progress.nextEvent)
    const { facts } = running
    if (hooks.hasAfter) {
      await hooks.after(
        {
          id: facts.id,
          actor: facts.actor,
          sessionId: facts.sessionId,
          text: facts.text,
          channel: facts.channel,
          startedAt: facts.startedAt,
        },
        { outcome: ending.outcome, usage: ending.usage, complete: ending.outcome !== 'interrupted' },
      )
      await store.markHooksCalled(facts.id).catch(error => services.log.warn('hooks may be called again', { error }))
    }
    return {
      turnId: facts.id,
      outcome: ending.outcome,
      text: textOf(running.answer.parts),
      usage: ending.usage,
      ...(ending.code === undefined ? {} : { code: ending.code }),
    }
  }

  /** Stores the turn and frees the session, then sends the final event. */
  async #finish(running: RunningTurn, ending: TurnEnding, firstEvent: number): Promise<void> {
    const { facts, log, answer } = running
    const now = this.#parts.services.now()
    const metadata: MessageMetadata = {
      sessionId: facts.sessionId,
      turnId: facts.id,
      model: this.#parts.modelName,
      outcome: ending.outcome,
      steps: ending.steps,
      durationMs: now - facts.startedAt,
      usage: ending.usage,
    }
    const last = finalEvent(ending, metadata)
    const store = () =>
      this.#parts.store.end({
        turnId: facts.id,
        owner: facts.actor.did,
        sessionId: facts.sessionId,
        answer: { id: facts.answerId, parts: answer.parts, metadata },
        status: ending.outcome,
        ...(ending.code === undefined ? {} : { code: ending.code }),
        usage: ending.usage,
        hooksCalled: !this.#parts.hooks.hasAfter,
        events: { firstId: firstEvent, body: [...log.events.slice(firstEvent - 1), JSON.stringify(last)].join('\n') },
        now,
      })
    try {
      await store()
      this.#running.delete(facts.id)
      log.end(last)
    } catch (error) {
      this.#parts.services.log.error('a turn could not be stored', { turn: facts.id, error })
      log.end({
        type: 'error',
        errorText: 'The answer could not be stored. Ask again in a moment.',
        code: 'storage_unavailable',
      })
      await this.#keepStoring(facts.id, store)
    }
  }

  /** Tries to store a turn until it works or the process ends; its session stays busy till then. */
  async #keepStoring(turnId: string, store: () => Promise<void>): Promise<void> {
    for (let delayMs = 200; !this.#closing; delayMs = Math.min(delayMs * 2, 10_000)) {
      await new Promise(resolve => setTimeout(resolve, delayMs).unref())
      try {
        await store()
        break
      } catch (error) {
        this.#parts.services.log.warn('a turn still could not be stored', { turn: turnId, error })
      }
    }
    this.#running.delete(turnId)
  }

  /** Makes room in a busy session, or says why not. */
  async #makeWay(turnId: string, request: StartTurn): Promise<EngineRefusal | undefined> {
    const local = this.#running.get(turnId)
    if (local) {
      if (request.whenBusy === 'refuse' || (request.whenBusy === 'supersede' && local.hasReader)) {
        return local.log.ended ? refusals.storageUnavailable : refusals.turnRunning
      }
      if (request.whenBusy === 'supersede') local.cut('superseded')
      await local.finished
      return undefined
    }
    const row = await this.#parts.store.find(turnId)
    if (row?.status !== 'running') return undefined
    const { now } = this.#parts.services
    if (request.whenBusy === 'refuse') return refusals.turnRunning
    if (request.whenBusy === 'supersede') {
      if (now() - row.readerSeenAt < 2_000) return refusals.turnRunning
      await this.#parts.store.requestStop(turnId)
    }
    return (await this.#waitForEnd(turnId, request.whenBusy === 'queue' ? deadAfterMs * 8 : 5_000))
      ? undefined
      : refusals.turnRunning
  }

  async #waitForEnd(turnId: string, limitMs: number): Promise<boolean> {
    for (const until = Date.now() + limitMs; Date.now() < until; ) {
      const row = await this.#parts.store.find(turnId)
      if (row?.status !== 'running') return true
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    return false
  }

  async #stopRow(row: TurnRow, reason: CutReason): Promise<void> {
    const local = this.#running.get(row.id)
    if (local) {
      local.cut(reason)
      await local.finished
      return
    }
    await this.#parts.store.requestStop(row.id)
    await this.#waitForEnd(row.id, 5_000)
  }

  async #readRepeated(turnId: string): Promise<Refused | ReadableTurn> {
    const row = await this.#parts.store.find(turnId)
    return row ? this.#read(row) : { refused: refusals.turnNotFound }
  }

  async #read(row: TurnRow): Promise<ReadableTurn> {
    const local = this.#running.get(row.id)
    if (local) return { turnId: row.id, log: local.log, running: local }
    const { store, services } = this.#parts
    if (row.endedAt !== undefined && (await store.eventsAfter(row.id, 0)).length === 0) {
      const messages = await services.sessions.messages(row.owner, row.sessionId)
      return {
        turnId: row.id,
        log: replayAnswer(
          row,
          messages.find(message => message.id === row.answerId),
        ),
      }
    }
    return { turnId: row.id, log: await followStoredTurn(store, row) }
  }
}
