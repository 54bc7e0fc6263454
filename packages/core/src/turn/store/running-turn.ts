import type { Turn, TurnResult } from '@sibyl/plugin'
import type { Usage } from '@sibyl/protocol'
import type { TurnWatch } from '@sibyl/telemetry'
import type { TurnTimings } from '../../timings/turn-timings.ts'
import { MessageBuilder } from '../stream/message-builder.ts'
import { maxTurnBytes, type StreamEvent, TurnStream } from '../stream/turn-stream.ts'
import type { RequestedTurn } from './requested-turn.ts'
import type { StoreDependencies } from './store-dependencies.ts'
import {
  type ClaimedSession,
  type CutReason,
  nextPhase,
  noUsage,
  type ToolCounts,
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

/** Further facts of a turn with a claimed session. */
interface RunningTurnOptions {
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
  #used: { readonly usage: Usage; readonly steps: number } = { usage: noUsage, steps: 0 }
  #phase: TurnPhase = 'claimed'
  #cut: CutReason | undefined
  #endsAt = Number.POSITIVE_INFINITY
  #followedAt = Number.NEGATIVE_INFINITY

  constructor(
    facts: TurnFields,
    request: RequestedTurn,
    { createdSession, loadedPlugins, approvedTools }: ClaimedSession,
    { watch, timings, outer }: RunningTurnOptions = {},
  ) {
    this.facts = facts
    this.request = request
    this.watch = watch
    this.timings = timings
    this.stream = new TurnStream(facts.id)
    this.answer = new MessageBuilder(request.continues?.parts)
    this.approvedTools = new Set(approvedTools)
    const isAlone = !request.completeMessage && !request.history?.length
    this.firstMessage = createdSession && isAlone ? request.message : undefined
    this.#loadedPlugins = [...loadedPlugins]
    this.#outer = outer
    this.#toolCounts = outer ? outer.turn.#toolCounts : new Map()
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

  #add(event: StreamEvent): void {
    if (this.stream.ended) return
    if (event.type === 'text-delta' && this.#outer === undefined) this.watch?.textCame()
    this.stream.append(event)
    this.answer.apply(event)
    if (this.stream.bytes > maxTurnBytes) this.cut('too_large')
  }
}

/** The interval of signs of life and of storing new events, in milliseconds. */
const beatMs = 1_000

/** The interval of storing new events for a reader in another process, in milliseconds; longer for long answers. */
const [followedMs, bytesPerMs] = [40, 10_000] as const
/**
 * Stores a running turn's events and answer now and then, so that a crash loses little of an answer, other processes
 * can follow it, and a stop asked for elsewhere is heard: every second, at once when another process calls, and all the
 * time while it is read there.
 */
export class TurnProgress {
  readonly #running: RunningTurn
  readonly #dependencies: StoreDependencies
  #timer: NodeJS.Timeout | undefined
  #stored = 0
  #storedBytes: number | undefined
  #storedAt = performance.now()
  #saving: Promise<void> | undefined
  #called = false
  #everCalled = false
  #stopped = false

  constructor(running: RunningTurn, dependencies: StoreDependencies) {
    this.#running = running
    this.#dependencies = dependencies
    this.#storedBytes = running.request.continues ? undefined : 0
    this.#later()
  }

  /** The number of the first event that is not stored yet, and the bytes of the stored answer, if they are known. */
  get next(): { readonly firstEvent: number; readonly storedBytes: number | undefined } {
    return { firstEvent: this.#stored + 1, storedBytes: this.#storedBytes }
  }

  get isWanted(): boolean {
    return this.#everCalled || this.#running.isFollowed
  }

  /** Stops storing; resolves when what was under way is done. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#saving
  }

  answerCall(): void {
    this.#called = true
    this.#everCalled = true
    if (this.#saving === undefined) this.#tick()
  }

  #later(): void {
    if (this.#stopped) return
    const running = this.#running
    const delayMs = running.isFollowed ? Math.min(beatMs, followedMs + running.stream.bytes / bytesPerMs) : beatMs
    this.#timer = setTimeout(() => this.#tick(), this.#called ? 0 : delayMs).unref()
  }

  #tick(): void {
    clearTimeout(this.#timer)
    if (this.#stopped) return
    const isQuiet = this.#running.stream.events.length === this.#stored
    if (isQuiet && !this.#called && performance.now() - this.#storedAt < beatMs) this.#later()
    else
      this.#saving = this.#save().finally(() => {
        this.#saving = undefined
        this.#later()
      })
  }

  async #save(): Promise<void> {
    const running = this.#running
    const { turns, notifier, now, log } = this.#dependencies
    const { facts, answer } = running
    const [wasCalled, known] = [this.#called, this.#storedBytes]
    this.#called = false
    this.#storedBytes = undefined
    const events = running.stream.events.slice(this.#stored)
    const metadata = { sessionId: facts.sessionId, turnId: facts.id }
    try {
      const { stop, unfollowedMs, storedBytes } = await turns.progress({
        turnId: facts.id,
        owner: facts.actor.did,
        sessionId: facts.sessionId,
        hasReader: running.hasReader,
        usage: running.used.usage,
        tools: running.toolCounts,
        now: now(),
        storedBytes: known,
        ...(events.length > 0 && {
          answer: { id: facts.answerId, parts: answer.parts, metadata },
          events: { firstId: this.#stored + 1, body: events.join('\n') },
        }),
      })
      this.#stored += events.length
      this.#storedBytes = storedBytes
      this.#storedAt = performance.now()
      running.followed(unfollowedMs)
      if (wasCalled || (running.isFollowed && events.length > 0)) notifier.notify(facts.id)
      if (stop) running.cut('stopped')
    } catch (error) {
      log.warn('a running turn could not be stored; this is retried', { turn: facts.id, error })
    }
  }
}
