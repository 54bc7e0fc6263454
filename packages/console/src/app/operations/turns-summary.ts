import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useAccess, useApi } from '../session/console-context.tsx'

/** Percentiles of a duration, in milliseconds. */
export interface Percentiles {
  readonly p50: number
  readonly p95: number
}

/** Counts of turns. */
export interface TurnCounts {
  readonly turns: number
  readonly errors: number
  readonly usage: { readonly inputTokens: number; readonly cachedInputTokens: number; readonly outputTokens: number }
  readonly cost?: number
  readonly durationMs?: Percentiles
  readonly firstPartMs?: Percentiles
}

/** The answer of `GET /operator/turns`. */
export interface TurnsSummary {
  readonly bucketSeconds: number
  readonly totals: TurnCounts
  readonly buckets: readonly (TurnCounts & { readonly at: string })[]
  readonly errors: readonly { readonly code: string; readonly turns: number }[]
  readonly models: readonly (TurnCounts & { readonly model: string })[]
  readonly channels: readonly (TurnCounts & { readonly channel: string })[]
  readonly tools: readonly {
    readonly tool: string
    readonly capability: string
    readonly calls: number
    readonly failed: number
    readonly durationMs: Percentiles
  }[]
  /** 0 if no timings are stored. */
  readonly keepDays: number
}

/** Times that the plots can show, in seconds, with the length of their buckets. */
export const ranges = {
  hour: { seconds: 3_600, bucketSeconds: 60 },
  day: { seconds: 86_400, bucketSeconds: 900 },
  week: { seconds: 604_800, bucketSeconds: 7_200 },
  month: { seconds: 2_592_000, bucketSeconds: 86_400 },
} as const

export type Range = keyof typeof ranges

/** Reads the turns of the last time, once a minute. */
export const useTurns = (range: Range) => {
  const api = useApi()
  return useQuery({
    queryKey: ['operator', 'turns', range],
    queryFn({ signal }) {
      const { seconds, bucketSeconds } = ranges[range]
      const from = new Date(Date.now() - seconds * 1_000).toISOString()
      return api.get<TurnsSummary>('/operator/turns', { query: { from, bucketSeconds }, signal })
    },
    enabled: useAccess().may('operator/read'),
    placeholderData: keepPreviousData,
    refetchInterval: range === 'hour' || range === 'day' ? 60_000 : 300_000,
  })
}
