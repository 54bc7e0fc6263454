import { turnTiming } from '@sibyl/operations/records'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { useApi } from '../session/console-context.tsx'

const sessionTurns = z.object({
  turns: z.array(turnTiming),
  /** Days for which they are stored; 0 if they are not. */
  keepDays: z.int(),
})

/** Timings of the turns of a session, the latest first. */
export type SessionTurns = z.infer<typeof sessionTurns>

/** Reads the timings of the latest turns of a session. */
export const useTurns = (sessionId: string, enabled: boolean): SessionTurns | undefined => {
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['chat', sessionId, 'turns'],
    queryFn: ({ signal }) =>
      api.get(`/sessions/${encodeURIComponent(sessionId)}/turns`, {
        schema: sessionTurns,
        query: { limit: 50 },
        signal,
      }),
    enabled,
    retry: false,
  })
  return data
}
