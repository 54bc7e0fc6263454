import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState, LoadingState } from '../components/states.tsx'
import { type Caller, createAccess, type LoadedPlugin } from '../session/access.ts'
import { AccessProvider, useApi, useConsole } from '../session/console-context.tsx'
import { SignInView } from '../session/sign-in-view.tsx'
import { useIsSignedIn } from '../session/use-session-state.ts'

/** Shows its children to a user who signed in, with their rights; otherwise the sign-in. */
export const SignedIn = ({ children }: { readonly children: ReactNode }) => {
  const { session } = useConsole()
  return useIsSignedIn(session) ? <WithAccess>{children}</WithAccess> : <SignInView />
}

interface Capabilities {
  readonly plugins?: readonly LoadedPlugin[]
  readonly capabilities?: readonly LoadedPlugin[]
}

const WithAccess = ({ children }: { readonly children: ReactNode }) => {
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: ['access'],
    queryFn: async ({ signal }) => {
      const caller = await api.get<Caller>('/me', { signal })
      const { plugins = [] } = await api.get<Capabilities>('/capabilities', { signal }).catch(() => ({ plugins: [] }))
      return createAccess(caller, plugins)
    },
    refetchInterval: 300_000,
  })
  if (data) return <AccessProvider value={data}>{children}</AccessProvider>
  return error ? <ErrorState error={error} onRetry={refetch} /> : <LoadingState />
}
