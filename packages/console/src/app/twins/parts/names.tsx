import { type EntityName, entityNames } from '@sibyl/plugin-entities/records'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { createBatchLoader } from '../../api/create-batch-loader.ts'
import { useApi } from '../../session/console-context.tsx'

const NamesContext = createContext<((did: string) => Promise<EntityName | null>) | undefined>(undefined)

/** Maximum number of DIDs of one request. */
const maxNames = 50

/** Reads the names of all entities that views below it show, many with each request. */
export const NamesProvider = ({ children }: { readonly children: ReactNode }) => {
  const api = useApi()
  const load = useMemo(
    () =>
      createBatchLoader<EntityName>(async dids => {
        const { names } = await api.get('v1/names', { schema: entityNames, query: { dids: dids.join(',') } })
        return new Map(names.map(name => [name.did, name]))
      }, maxNames),
    [api],
  )
  return <NamesContext value={load}>{children}</NamesContext>
}

/** Returns the name of an entity; undefined while it loads, and null if it is unknown or not readable. */
export const useEntityName = (did: string | undefined): EntityName | null | undefined => {
  const load = useContext(NamesContext)
  const { data, isError } = useQuery({
    queryKey: ['twins-name', did],
    queryFn: () => load?.(did ?? '') ?? null,
    enabled: did !== undefined && load !== undefined,
    staleTime: 60_000,
    retry: false,
  })
  return isError ? null : data
}
