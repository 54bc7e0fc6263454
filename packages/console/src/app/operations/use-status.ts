import { operatorStatusRecord } from '@sibyl/operations/records'
import { useQuery } from '@tanstack/react-query'
import { useAccess, useApi } from '../session/console-context.tsx'

/** Interval of reads while the tab is visible, in milliseconds. */
const intervalMs = 20_000

/** Reads the state of the oracle regularly. */
export const useStatus = () => {
  const api = useApi()
  return useQuery({
    queryKey: ['operator', 'status'],
    queryFn: ({ signal }) => api.get('/operator/status', { schema: operatorStatusRecord, signal }),
    enabled: useAccess().may('operator/read'),
    refetchInterval: intervalMs,
  })
}
