import type { PricedTurn } from '@sibyl/protocol'
import type { EndedTiming } from '../timings/timing-store.ts'
import type { TurnTimings } from '../timings/turn-timings.ts'
import type { TurnFields } from './turn.ts'
import type { TurnDependencies } from './turn-dependencies.ts'

/** A turn that ends. */
interface EndingTurn extends PricedTurn {
  readonly facts: Pick<TurnFields, 'channel' | 'startedAt'>
  /** Missing for a turn whose process is gone. */
  readonly timings?: TurnTimings
}

/** Returns the timings of a turn that ends; undefined if they are not stored. */
export const endedTiming = (
  { facts: { channel, startedAt }, timings, ...priced }: EndingTurn,
  { storesTimings, prices, log, now }: Pick<TurnDependencies, 'storesTimings' | 'prices' | 'log' | 'now'>,
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
