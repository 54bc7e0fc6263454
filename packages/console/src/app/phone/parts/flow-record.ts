import { type FlowRecord, flowRecord } from '@sibyl/plugin-ussd/records'
import { useQuery } from '@tanstack/react-query'
import { useAccess, useApi } from '../../session/console-context.tsx'

/** A screen of the menus. */
export type FlowNode = FlowRecord['nodes'][number]

/** A way from a screen to another one, or to `exit`. */
export type FlowEdge = FlowRecord['edges'][number]

/** Reads the menus, which need the right of an operator. */
export const useFlow = () => {
  const api = useApi()
  const access = useAccess()
  return useQuery({
    queryKey: ['ussd flow'],
    queryFn: ({ signal }) => api.get('/api/ussd/flow', { schema: flowRecord, signal }),
    enabled: access.mayHave('ussd') && access.may('operator/read'),
    staleTime: 300_000,
  })
}
