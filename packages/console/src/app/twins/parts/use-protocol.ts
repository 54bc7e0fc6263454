import { type ProtocolRecord, protocolRecord } from '@sibyl/plugin-entities/records'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../session/console-context.tsx'

export const useProtocol = (did: string | undefined): ProtocolRecord | undefined => {
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['protocol', did],
    queryFn: ({ signal }) =>
      api.get(`v1/protocols/${encodeURIComponent(did ?? '')}`, { schema: protocolRecord, signal }),
    enabled: did !== undefined,
  })
  return data
}
