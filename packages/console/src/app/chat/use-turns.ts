import type { TurnTiming } from '@sibyl/operations/records'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../session/console-context.tsx'

/** Timings of the turns of a session, the latest first. */
export interface SessionTurns {
  readonly turns: readonly TurnTiming[]
  /** Days for which they are stored; 0 if they are not. */
  readonly keepDays: number
}

/** Reads the timings of the latest turns of a session. */
export const useTurns = (sessionId: string, enabled: boolean): SessionTurns | undefined => {
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['chat', sessionId, 'turns'],
    queryFn: ({ signal }) =>
      api.get<SessionTurns>(`/sessions/${encodeURIComponent(sessionId)}/turns`, { query: { limit: 50 }, signal }),
    enabled,
    retry: false,
  })
  return data
}
