import type { Turn, TurnResult } from '@sibyl/plugin'
import type { Usage } from '@sibyl/protocol'
import type { TurnTimings, TurnWatch } from '@sibyl/telemetry'
import type { MessagePart } from '../../sessions/stored-message.ts'
import { MessageBuilder } from '../stream/message-builder.ts'
import { maxTurnBytes, type StreamEvent, TurnStream } from '../stream/turn-stream.ts'
import { resumedNumbers } from '../stream/unstored-ends.ts'
import type { RequestedTurn } from './requested-turn.ts'
import {
  type ClaimedSession,
  type CutReason,
  nextPhase,
  noUsage,
  type ToolCounts,
  type TurnCheckpoint,
  type TurnFields,
  type TurnPhase,
  usageSum,
} from './turn.ts'

/** The time after its last sign for which a reader in another process counts as present, in milliseconds. */
export const followerFreshMs = 2_500

/** A turn to read: new, running or over. */
export interface ReadableTurn {
  readonly turnId: string
  readonly stream: TurnStream
  /** Resolves once the turn is stored; set while it runs in this process. */
  readonly finished?: Promise<TurnResult>
}

/** The stored part of a turn whose process is gone, up to the place from which it continues. */
export interface StoredTurn {
  readonly events: readonly { readonly id: number; readonly json: string }[]
  readonly parts: readonly MessagePart[]
  readonly usage: Usage
  readonly tools: ToolCounts
  readonly checkpoint: TurnCheckpoint
}

/** Further facts of a turn with a claimed session. */
interface RunningTurnOptions {
  /** Set where it continues after its process is gone. */
  readonly stored?: StoredTurn | undefined
  readonly watch?: TurnWatch | undefined
  /** Its timings; unset if they are not stored. */
  readonly timings?: TurnTimings | undefined
  /** The tool call of the agent that works in it. */
  readonly outer?: { readonly turn: RunningTurn; readonly toolCallId: string }
}

/** A turn of this process, from its claim to its stored end; or the part of one in which an agent works. */
export class RunningTurn {
  readonly facts: TurnFields
  readonly request: RequestedTurn
  readonly stream: TurnStream
  readonly answer: MessageBuilder
  /** The turn as plugins see it. */
  readonly turn: Turn
  /** The tools that the person approved for the session. */
  readonly approvedTools: ReadonlySet<string>
  /** The message, where it is all that the session holds. */
  readonly firstMessage: RequestedTurn['message']
  readonly watch: TurnWatch | undefined
  readonly timings: TurnTimings | undefined
  readonly #loadedPlugins: string[]
  readonly #controller = new AbortController()
  readonly #outer: RunningTurnOptions['outer']
  readonly #toolCounts: Map<string, number>
  /** The stored part of it from which it continues here. */
  readonly stored: StoredTurn | undefined
  #checkpoint: TurnCheckpoint | undefined
  #used: { readonly usage: Usage; readonly steps: number }
  #phase: TurnPhase = 'claimed'
  #cut: CutReason | undefined
  #endsAt = Number.POSITIVE_INFINITY
  #followedAt = Number.NEGATIVE_INFINITY

  constructor(
    facts: TurnFields,
    request: RequestedTurn,
    { createdSession, loadedPlugins, approvedTools }: ClaimedSession,
    { watch, timings, outer, stored }: RunningTurnOptions = {},
  ) {
    this.facts = facts
    this.request = request
    this.watch = watch
    this.timings = timings
    this.stored = stored
    this.#checkpoint = stored?.checkpoint
    this.#used = { usage: stored?.usage ?? noUsage, steps: stored?.checkpoint.steps ?? 0 }
    this.stream = new TurnStream(facts.id)
    this.answer = new MessageBuilder(stored?.parts ?? request.continues?.parts)
    this.approvedTools = new Set(approvedTools)
    const isAlone = !request.completeMessage && !request.history?.length
    this.firstMessage = createdSession && isAlone ? request.message : undefined
    this.#loadedPlugins = [...loadedPlugins]
    this.#outer = outer
    this.#toolCounts = outer ? outer.turn.#toolCounts : new Map(Object.entries(stored?.tools ?? {}))
    if (stored) this.#restore(stored)
    this.turn = {
      id: facts.id,
      actor: facts.actor,
      text: facts.text,
      signal: this.#controller.signal,
      session: { id: facts.sessionId, loadedPlugins: this.#loadedPlugins },
      channel: facts.channel,
    }
  }

  get phase(): TurnPhase {
    return this.#phase
  }

  /** When its time is over, in milliseconds since 1970. */
  get endsAt(): number {
    return this.#endsAt
  }

  /** The usage of the finished steps, with that of its agents. */
  get used(): { readonly usage: Usage; readonly steps: number } {
    return this.#used
  }

  /** The place from which another process can continue it; undefined before the first one. */
  get checkpoint(): TurnCheckpoint | undefined {
    return this.#checkpoint
  }

  /** Notes that another process can continue from here. @param calls that of `TurnCheckpoint` */
  reached(calls: boolean): void {
    this.#checkpoint = {
      event: this.stream.nextNumber - 1,
      parts: this.answer.parts.length,
      steps: this.#used.steps,
      calls,
      resumptions: this.#checkpoint?.resumptions ?? 0,
      tries: 0,
    }
  }

  /** Takes back the try that it began with: another process continues, and this one did not fail. */
  handsOver(): void {
    if (this.#checkpoint) this.#checkpoint = { ...this.#checkpoint, tries: Math.max(0, this.#checkpoint.tries - 1) }
  }

  /** Adds the usage of finished steps. @param steps 0 for those of an agent. */
  addUsage(usage: Usage, steps: number): void {
    this.#used = { usage: usageSum(this.#used.usage, usage), steps: this.#used.steps + steps }
    this.#outer?.turn.addUsage(usage, 0)
  }

  /** The id of a tool call within the turn as it is stored: an agent's calls are below the call of the agent. */
  storedCallId(toolCallId: string): string {
    return this.#outer === undefined ? toolCallId : `${this.#outer.toolCallId}/${toolCallId}`
  }

  get agentCallId(): string | undefined {
    return this.#outer?.toolCallId
  }

  get isLaunched(): boolean {
    return this.#phase !== 'claimed' && this.#phase !== 'stored'
  }

  get cutReason(): CutReason | undefined {
    return this.#cut
  }

  get isFollowed(): boolean {
    return performance.now() - this.#followedAt < followerFreshMs
  }

  /** Whether an earlier turn may have begun its answer. */
  get mayContinue(): boolean {
    return this.request.continues !== undefined || this.stored !== undefined
  }

  get hasReader(): boolean {
    return this.request.awaited || this.stream.readers > 0 || this.isFollowed
  }

  /** The number of runs of each tool, by its name; with those of its agents. */
  get toolCounts(): ToolCounts {
    return Object.fromEntries(this.#toolCounts)
  }

  countRun(tool: string): void {
    this.#toolCounts.set(tool, (this.#toolCounts.get(tool) ?? 0) + 1)
  }

  setLoadedCapabilities(capabilities: readonly string[]): void {
    this.#loadedPlugins.splice(0, this.#loadedPlugins.length, ...capabilities)
  }

  followed(agoMs: number): void {
    this.#followedAt = performance.now() - agoMs
  }

  /** Notes that it is admitted; it takes events from now on. */
  launched(endsAt = Number.POSITIVE_INFINITY): void {
    this.#phase = nextPhase(this.#phase, 'running')
    this.#endsAt = endsAt
  }

  /** Notes that a tool call waits for a person. Has no effect once the turn ends. */
  waits(): void {
    if (this.#phase === 'running') this.#phase = nextPhase(this.#phase, 'waiting')
  }

  /** Notes that it takes no more events of calls, or that its end is stored. */
  enter(phase: 'ending' | 'stored'): void {
    this.#phase = nextPhase(this.#phase, phase)
  }

  /** Ends it early; the first reason counts. */
  cut(reason: CutReason): void {
    if (this.#cut || this.stream.ended) return
    this.#cut = reason
    this.#controller.abort(new Error(reason))
  }

  /** Adds an event to the stream and to the answer, unless the turn ends. */
  emit(event: StreamEvent): void {
    if (this.#phase !== 'ending' && this.#phase !== 'stored') this.#add(event)
  }

  /** Adds the events that close the calls of a turn that ends. */
  close(events: readonly StreamEvent[]): void {
    for (const event of events) this.#add(event)
  }

  /** Restores the events; readers drop those after them, which were not stored. */
  #restore({ events, checkpoint: { resumptions } }: StoredTurn): void {
    const { stream } = this
    for (const { id, json } of events) {
      if (id !== stream.nextNumber) stream.resume(stream.nextNumber - 1, id)
      stream.append(JSON.parse(json) as StreamEvent)
    }
    const after = stream.nextNumber - 1
    stream.resume(after, resumptions * resumedNumbers + 1)
    stream.append({ type: 'data-resumed', transient: true, data: { after } })
  }

  #add(event: StreamEvent): void {
    if (this.stream.ended) return
    if (event.type === 'text-delta' && this.#outer === undefined) this.watch?.textCame()
    this.stream.append(event)
    this.answer.apply(event)
    if (this.stream.bytes > maxTurnBytes) this.cut('too_large')
  }
}
