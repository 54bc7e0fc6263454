import type { PersonName } from '@sibyl/operations/records'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { createBatchLoader } from '../api/create-batch-loader.ts'
import { withMembers } from '../api/with-members.ts'
import { useAccess, useApi } from '../session/console-context.tsx'

type Names = readonly PersonName[]

const NamesContext = createContext<((did: string) => Promise<Names | null>) | undefined>(undefined)

// The schema of the records would bring zod into the scripts of the first view.
const named = withMembers<{ readonly people: readonly { readonly did: string; readonly names: Names }[] }>({
  people: 'array',
})

/** Maximum number of DIDs of one request. */
const maxDids = 100

/** Reads the names of all people whom views below it show, many with each request. */
export const PersonNamesProvider = ({ children }: { readonly children: ReactNode }) => {
  const api = useApi()
  const load = useMemo(
    () =>
      createBatchLoader<Names>(async dids => {
        const { people } = await api.post('/operator/people/names', { schema: named, body: { dids } })
        return new Map(people.map(({ did, names }) => [did, names]))
      }, maxDids),
    [api],
  )
  return <NamesContext value={load}>{children}</NamesContext>
}

/** Returns the names of a person, those that operators gave first; none for those who are not operators. @param known Not read then */
export const usePersonNames = (did: string, known?: Names): Names => {
  const load = useContext(NamesContext)
  const { data } = useQuery({
    queryKey: ['person names', did],
    queryFn: () => load?.(did) ?? null,
    enabled: useAccess().may('operator/read') && load !== undefined && did !== '',
    staleTime: 60_000,
    ...(known && { initialData: known }),
    retry: false,
  })
  return data ?? []
}
