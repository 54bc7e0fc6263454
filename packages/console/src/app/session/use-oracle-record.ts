import type { OracleRecord } from '@sibyl/protocol'
import { useQuery } from '@tanstack/react-query'
import { useApi } from './console-context.tsx'

/** Reads the identity of the oracle: `/.well-known/oracle.json`. */
export const useOracleRecord = () => {
  const api = useApi()
  return useQuery({
    queryKey: ['oracle record'],
    queryFn: ({ signal }) => api.get<OracleRecord>('/.well-known/oracle.json', { signal }),
    staleTime: 300_000,
  })
}
