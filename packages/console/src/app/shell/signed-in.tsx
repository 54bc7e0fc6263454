import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { ErrorState, LoadingState } from '../components/states.tsx'
import { type Caller, createAccess, type LoadedCapability } from '../session/access.ts'
import { AccessProvider, useApi, useConsole } from '../session/console-context.tsx'
import { isAwaitedReturn } from '../session/oauth.ts'
import { SignInView } from '../session/sign-in-view.tsx'
import { useIsSignedIn } from '../session/use-session-state.ts'

/** Shows its children to a user who signed in, with their rights; otherwise the sign-in. */
export const SignedIn = ({ children }: { readonly children: ReactNode }) => {
  const { session } = useConsole()
  const isSignedIn = useIsSignedIn(session)
  // A user who signs in again, for other rights, is still signed in with the former ones until this is complete.
  const [isBack, setBack] = useState(() => isAwaitedReturn(new URLSearchParams(location.search)))
  useEffect(() => {
    const stop = isBack ? session.subscribe(() => setBack(false)) : undefined
    return () => stop?.()
  }, [isBack, session])
  return isSignedIn && !isBack ? <WithAccess>{children}</WithAccess> : <SignInView />
}

const WithAccess = ({ children }: { readonly children: ReactNode }) => {
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: ['access'],
    queryFn: async ({ signal }) => {
      const caller = await api.get<Caller>('/me', { signal })
      // Without `session/read` the list is unavailable: views of plugins stay hidden.
      const list = await api
        .get<{ readonly capabilities: readonly LoadedCapability[] }>('/capabilities', { signal })
        .catch(() => ({ capabilities: [] }))
      return createAccess(caller, list.capabilities)
    },
    refetchInterval: 300_000,
  })
  if (data) return <AccessProvider value={data}>{children}</AccessProvider>
  return error ? <ErrorState error={error} onRetry={refetch} /> : <LoadingState />
}
