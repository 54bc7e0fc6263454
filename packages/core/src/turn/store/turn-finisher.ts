import type { TurnResult } from '@sibyl/plugin'
import type { MessageMetadata, ServiceOf, turnPrices } from '@sibyl/protocol'
import type { TurnTimings } from '@sibyl/telemetry'
import type { EndedTiming } from '../../database/stored-timings.ts'
import { textOf } from '../../sessions/stored-message.ts'
import type { StreamEvent } from '../stream/turn-stream.ts'
import { unstoredEnds } from '../stream/unstored-ends.ts'
import type { RunningTurn } from './running-turn.ts'
import type { StoreDependencies } from './store-dependencies.ts'
import { cutEnding, modelOf, noModel, type ToolCounts, type TurnEnding, type TurnFields, turnRecordOf } from './turn.ts'

type PricedTurn = Parameters<ServiceOf<typeof turnPrices>['costOf']>[0]

/** The time that readers wait for the final event of a turn while its end cannot be stored, in milliseconds. */
const patienceMs = 3_000

/** Stores the ends of turns, then sends their final events, then calls the `after` hooks. */
export class TurnFinisher {
  readonly #dependencies: StoreDependencies
  readonly #onStored: (turnId: string) => void
  /** Work that goes on after the final event. */
  readonly #pending = new Set<Promise<void>>()
  #closing = false

  /** @param onStored Called with each turn that is stored, or gone, before its final event. */
  constructor(dependencies: StoreDependencies, onStored: (turnId: string) => void) {
    this.#dependencies = dependencies
    this.#onStored = onStored
  }

  /**
   * Stores a turn, frees its session and sends the final event, in this order.
   *
   * @param firstIndex The first event that is not stored yet.
   */
  async finish(running: RunningTurn, ending: TurnEnding, firstIndex: number): Promise<TurnResult> {
    const { turns, hooks, now, log } = this.#dependencies
    const { facts } = running
    const metadata = this.#metadata(running, ending)
    const tools = running.toolCounts
    const last = finalEvent(ending, metadata)
    const firstId = running.stream.numberOf(firstIndex)
    const body = [...running.stream.events.slice(firstIndex), JSON.stringify(last)].join('\n')
    const endedAt = now()
    const priced = { outcome: ending.outcome, usage: ending.usage, model: metadata.model ?? noModel, tools }
    const timing = endedTiming({ facts, ...priced, timings: running.timings }, this.#dependencies)
    const work = () =>
      turns.end({
        turnId: facts.id,
        owner: facts.actor.did,
        sessionId: facts.sessionId,
        answer: { id: facts.answerId, parts: running.answer.parts, metadata },
        status: ending.outcome,
        code: ending.code,
        usage: ending.usage,
        tools,
        hooksCalled: !hooks.hasAfter,
        timing,
        events: { firstId, body },
        mayContinue: running.mayContinue,
        now: endedAt,
      })
    try {
      const stored = await this.#patiently(work)
      this.#stored(running)
      if (!stored) {
        // Another process took it over, or ended it: readers come back, and learn which from the database.
        running.stream.abandon()
        return resultOf(running, cutEnding('shutdown', ending), unstoredEnds.interrupted.event.errorText)
      }
      running.stream.end(last)
      this.#later(this.#callAfter(running, ending, tools))
      return resultOf(running, ending)
    } catch (error) {
      log.error('a turn could not be stored', { turn: facts.id, error })
      running.stream.endUnstored(unstoredEnds.notStored)
      this.#later(
        this.keepTrying(facts.id, work).then(stored => {
          if (!stored) return undefined
          this.#stored(running)
          return this.#callAfter(running, ending, tools)
        }),
      )
      return resultOf(
        running,
        { ...ending, outcome: 'failed', code: 'storage_unavailable' },
        unstoredEnds.notStored.event.errorText,
      )
    }
  }

  /** Ends a turn here that another process continues: its readers come back, and find it there. */
  handedOver(running: RunningTurn, ending: TurnEnding): TurnResult {
    this.#stored(running)
    running.stream.abandon()
    return resultOf(running, ending)
  }

  /** Does something with the database, again while that may be a blip; readers wait for it. */
  async #patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    const until = performance.now() + patienceMs
    for (let delayMs = 100; ; delayMs *= 2) {
      try {
        return await work()
      } catch (error) {
        if (this.#closing || performance.now() + delayMs > until) throw error
        await new Promise(resolve => setTimeout(resolve, delayMs))
      }
    }
  }

  /** Tries to store something of a turn until it works, or the process ends; true once it worked. */
  async keepTrying(turnId: string, work: () => Promise<unknown>): Promise<boolean> {
    for (let delayMs = 200; !this.#closing; delayMs = Math.min(delayMs * 2, 10_000)) {
      await new Promise(resolve => setTimeout(resolve, delayMs).unref())
      try {
        await work()
        return true
      } catch (error) {
        this.#dependencies.log.warn('a turn still could not be stored', { turn: turnId, error })
      }
    }
    return false
  }

  /** Waits for what goes on after the final events; what still cannot be stored is given up. */
  async close(): Promise<void> {
    this.#closing = true
    await Promise.all(this.#pending)
  }

  #stored(running: RunningTurn): void {
    running.enter('stored')
    this.#onStored(running.facts.id)
  }

  #later(work: Promise<void>): void {
    const done = work.finally(() => this.#pending.delete(done))
    this.#pending.add(done)
  }

  #metadata({ facts, request }: RunningTurn, ending: TurnEnding): MessageMetadata {
    return {
      sessionId: facts.sessionId,
      turnId: facts.id,
      model: modelOf(request, this.#dependencies.modelName, ending.usage),
      outcome: ending.outcome,
      stepCount: ending.steps,
      durationMs: Math.max(0, this.#dependencies.now() - facts.startedAt),
      usage: ending.usage,
    }
  }

  async #callAfter({ facts, request }: RunningTurn, ending: TurnEnding, tools: ToolCounts): Promise<void> {
    const { hooks, afterHooks, modelName } = this.#dependencies
    if (!hooks.hasAfter) return
    const model = modelOf(request, modelName, ending.usage)
    await afterHooks.call({
      turn: turnRecordOf(facts),
      end: { outcome: ending.outcome, usage: ending.usage, model, tools, complete: ending.outcome !== 'interrupted' },
    })
  }
}

const finalEvent = (ending: TurnEnding, metadata: MessageMetadata): StreamEvent => {
  const detail = detailOf(ending) ?? ''
  if (ending.outcome === 'stopped') return { type: 'abort', reason: detail }
  if (ending.outcome === 'failed' || ending.outcome === 'interrupted') {
    return { type: 'error', errorText: detail, code: ending.code ?? 'turn_failed' }
  }
  return { type: 'finish', finishReason: ending.finishReason, messageMetadata: metadata }
}

/** Returns why a turn has no complete answer. */
export const detailOf = ({ outcome, text }: TurnEnding): string | undefined => {
  if (outcome === 'stopped') return text ?? 'Stopped.'
  return outcome === 'failed' || outcome === 'interrupted' ? (text ?? 'The turn failed.') : undefined
}

const resultOf = (running: RunningTurn, ending: TurnEnding, detail = detailOf(ending)): TurnResult => ({
  turnId: running.facts.id,
  outcome: ending.outcome,
  text: textOf(running.answer.parts),
  usage: ending.usage,
  tools: running.toolCounts,
  code: ending.code,
  detail,
})

interface EndingTurn extends PricedTurn {
  readonly facts: Pick<TurnFields, 'channel' | 'startedAt'>
  /** Missing for a turn whose process is gone. */
  readonly timings?: TurnTimings | undefined
}

/** Returns the timings of a turn that ends; undefined if they are not stored. */
export const endedTiming = (
  { facts: { channel, startedAt }, timings, ...priced }: EndingTurn,
  { storesTimings, prices, log, now }: Pick<StoreDependencies, 'storesTimings' | 'prices' | 'log' | 'now'>,
): EndedTiming | undefined => {
  if (!storesTimings) return undefined
  const { spans = [], omitted = 0 } = timings?.records() ?? {}
  let cost: bigint | undefined
  try {
    cost = prices()?.costOf(priced)
  } catch (error) {
    log.warn('the cost of a turn could not be computed', { error })
  }
  return {
    channel,
    model: priced.model,
    startedAt,
    durationMs: timings?.nowMs ?? Math.max(0, now() - startedAt),
    cost,
    firstPartMs: timings?.firstPartMs,
    toolCalls: timings?.toolCalls ?? 0,
    spans,
    omittedSpans: omitted,
  }
}
