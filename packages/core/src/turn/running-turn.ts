import type { Usage } from '@sibyl/protocol'
import type { Actor } from '../auth/actor.ts'
import type { Channel, Turn, TurnResult } from '../plugins/turn.ts'
import type { MessagePart } from '../sessions/stored-message.ts'
import type { TurnWatch } from '../telemetry/turn-watch.ts'
import type { Approval } from './approval-store.ts'
import { MessageBuilder } from './message-builder.ts'
import type { CutReason } from './turn.ts'
import { maxTurnBytes, type StreamEvent, TurnLog } from './turn-stream.ts'

/** What a running turn is made from. */
export interface RunningTurnFacts {
  readonly id: string
  readonly actor: Actor
  readonly sessionId: string
  readonly answerId: string
  readonly text: string
  readonly channel: Channel
  readonly approvals: 'ask' | 'deny'
  /** What the oracle itself adds to the person's message. */
  readonly note?: string
  readonly loadedPlugins: readonly string[]
  readonly approvedTools: readonly string[]
  /** The message, where it is all that the session holds. */
  readonly firstMessage?: { readonly id: string; readonly parts: readonly MessagePart[] }
  readonly startedAt: number
  /** With a turn that goes on after an approval: what was decided, and the answer so far. */
  readonly continues?: { readonly approvals: readonly Approval[]; readonly parts: readonly MessagePart[] }
  /** Whether somebody waits for it who does not read the stream. */
  readonly awaited: boolean
}

/** What a turn used that did not get to its first step's end. */
export const noUsage: Usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }

/** How long after its last sign a reader in another process counts as there, in milliseconds. */
export const followerFreshMs = 2_500

/** A turn while it runs in this process. */
export class RunningTurn {
  readonly facts: RunningTurnFacts
  readonly log: TurnLog
  readonly answer: MessageBuilder
  readonly turn: Turn
  /** Resolves once the turn has ended; set by whoever starts it. */
  finished: Promise<TurnResult> = new Promise(() => {})
  readonly loadedPlugins: string[]
  /** Watches it; set by whoever starts it. */
  watch: TurnWatch | undefined
  /** What the finished steps used. */
  used: { readonly usage: Usage; readonly steps: number } = { usage: noUsage, steps: 0 }
  /** How often each tool ran by now, by its name. */
  readonly ran = new Map<string, number>()
  /** The call that runs anew as a person decided; what they said is for no other, whatever its id. */
  takesUp: Approval | undefined
  /** When its time is over, in milliseconds since 1970; set by whoever starts it. */
  endsAt = Number.POSITIVE_INFINITY
  /** When it was last read in another process, by `performance.now()`. */
  followedAt = Number.NEGATIVE_INFINITY
  /** Called when another process wants to know how it stands; set by whoever stores its progress. */
  onCall: () => void = () => {}
  readonly #controller = new AbortController()
  #cut: CutReason | undefined
  #sealed = false

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

  /** Whether it is read in another process. */
  get isFollowed(): boolean {
    return performance.now() - this.followedAt < followerFreshMs
  }

  /** Whether anybody reads or waits for it. */
  get hasReader(): boolean {
    return this.facts.awaited || this.log.readers > 0 || this.isFollowed
  }

  /** Ends it early; the first reason counts. */
  cut(reason: CutReason): void {
    if (this.#cut || this.log.ended) return
    this.#cut = reason
    this.#controller.abort(new Error(reason))
  }

  /** Adds an event to the stream and to the answer. */
  emit(event: StreamEvent): void {
    if (!this.#sealed) this.#add(event)
  }

  /** Takes no more events but those given here: what still runs of a turn that was cut cannot add to it. */
  seal(last: readonly StreamEvent[] = []): void {
    this.#sealed = true
    for (const event of last) this.#add(event)
  }

  #add(event: StreamEvent): void {
    if (this.log.ended) return
    if (event.type === 'text-delta') this.watch?.textCame()
    this.log.append(event)
    this.answer.apply(event)
    if (this.log.bytes > maxTurnBytes) this.cut('too_large')
  }
}
