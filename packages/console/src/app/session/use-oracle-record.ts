import type { OracleRecord } from '@sibyl/protocol'
import { useQuery } from '@tanstack/react-query'
import { withMembers } from '../api/with-members.ts'
import { useApi } from './console-context.tsx'

const schema = withMembers<OracleRecord>({
  name: 'string',
  version: 'string',
  publicDid: 'string',
  access: 'string',
  endpoints: 'object',
})

/** Reads the identity of the oracle: `/.well-known/oracle.json`. */
export const useOracleRecord = () => {
  const api = useApi()
  return useQuery({
    queryKey: ['oracle record'],
    queryFn: ({ signal }) => api.get('/.well-known/oracle.json', { schema, signal }),
    staleTime: 300_000,
  })
}
