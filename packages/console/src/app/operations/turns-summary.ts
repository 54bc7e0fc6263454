import { turnsSummaryRecord } from '@sibyl/operations/records'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useAccess, useApi } from '../session/console-context.tsx'

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
      return api.get('/operator/turns', { schema: turnsSummaryRecord, query: { from, bucketSeconds }, signal })
    },
    enabled: useAccess().may('operator/read'),
    placeholderData: keepPreviousData,
    refetchInterval: range === 'hour' || range === 'day' ? 60_000 : 300_000,
  })
}
