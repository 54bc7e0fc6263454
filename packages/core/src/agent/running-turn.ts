import type { Actor } from '../auth/actor.ts'
import type { Channel, Turn, TurnResult } from '../plugins/turn.ts'
import type { Approval } from '../sessions/approval-store.ts'
import type { MessagePart } from '../sessions/turn-message.ts'
import { MessageBuilder } from '../stream/message-builder.ts'
import { maxTurnBytes, type StreamEvent, TurnLog } from '../stream/turn-log.ts'
import type { CutReason } from './turn-ending.ts'

/** What a running turn is made from. */
export interface RunningTurnFacts {
  readonly id: string
  readonly actor: Actor
  readonly sessionId: string
  readonly answerId: string
  readonly text: string
  readonly channel: Channel
  readonly approvals: 'ask' | 'deny'
  readonly loadedPlugins: readonly string[]
  readonly approvedTools: readonly string[]
  /** False when the session holds older messages. */
  readonly firstTurn: boolean
  readonly startedAt: number
  /** With a turn that goes on after an approval: what was decided, and the answer so far. */
  readonly continues?: { readonly approvals: readonly Approval[]; readonly parts: readonly MessagePart[] }
  /** Whether somebody waits for it who does not read the stream. */
  readonly awaited: boolean
}

/** A turn while it runs in this process. */
export class RunningTurn {
  readonly facts: RunningTurnFacts
  readonly log: TurnLog
  readonly answer: MessageBuilder
  readonly turn: Turn
  /** Resolves once the turn is stored; set by whoever starts it. */
  finished: Promise<TurnResult> = new Promise(() => {})
  readonly loadedPlugins: string[]
  readonly #controller = new AbortController()
  #cut: CutReason | undefined

  constructor(facts: RunningTurnFacts) {
    this.facts = facts
    this.log = new TurnLog(facts.id)
    this.answer = new MessageBuilder(facts.continues?.parts)
    this.loadedPlugins = [...facts.loadedPlugins]
    this.turn = {
      id: facts.id,
      actor: facts.actor,
      text: facts.text,
      signal: this.#controller.signal,
      session: { id: facts.sessionId, loadedPlugins: this.loadedPlugins },
      channel: facts.channel,
    }
  }

  /** Why it was cut short, if it was. */
  get cutReason(): CutReason | undefined {
    return this.#cut
  }

  /** Whether anybody reads or waits for it. */
  get hasReader(): boolean {
    return this.facts.awaited || this.log.readers > 0
  }

  /** Ends it early; the first reason counts. */
  cut(reason: CutReason): void {
    if (this.#cut || this.log.ended) return
    this.#cut = reason
    this.#controller.abort(new Error(reason))
  }

  /** Adds an event to the stream and to the answer. */
  emit(event: StreamEvent): void {
    if (this.log.ended) return
    this.answer.apply(event)
    this.log.append(event)
    if (this.log.bytes > maxTurnBytes) this.cut('too_large')
  }
}
