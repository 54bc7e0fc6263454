import { type EntityName, entityNames } from '@sibyl/plugin-entities/records'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { ApiClient } from '../../api/api-client.ts'
import { useApi } from '../../session/console-context.tsx'

type LoadName = (did: string) => Promise<EntityName | null>

const NamesContext = createContext<LoadName | undefined>(undefined)

/** Maximum number of DIDs of one request. */
const maxNames = 50
const collectMs = 15

/** Reads the names of all entities that views below it show, many with each request. */
export const NamesProvider = ({ children }: { readonly children: ReactNode }) => {
  const api = useApi()
  const load = useMemo(() => createNameLoader(api), [api])
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

interface Waiting {
  readonly done: (name: EntityName | null) => void
  readonly failed: (error: unknown) => void
}

const createNameLoader = (api: ApiClient): LoadName => {
  let waiting = new Map<string, Waiting[]>()
  const flush = async () => {
    if (waiting.size === 0) return
    const batch = waiting
    waiting = new Map()
    try {
      const { names } = await api.get('v1/names', {
        schema: entityNames,
        query: { dids: [...batch.keys()].join(',') },
      })
      const found = new Map(names.map(name => [name.did, name]))
      for (const [did, all] of batch) for (const { done } of all) done(found.get(did) ?? null)
    } catch (error) {
      for (const all of batch.values()) for (const { failed } of all) failed(error)
    }
  }
  return did =>
    new Promise((done, failed) => {
      if (waiting.size === 0) setTimeout(flush, collectMs)
      waiting.set(did, [...(waiting.get(did) ?? []), { done, failed }])
      if (waiting.size >= maxNames) void flush()
    })
}
