import { Center, Stack, Title } from '@mantine/core'
import type { CallerRecord } from '@sibyl/core/records'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useDeferredValue, useEffect, useState } from 'react'
import { Problem } from '../api/problem.ts'
import { withMembers } from '../api/with-members.ts'
import { FailedView, loadView } from '../components/failed-view.tsx'
import { ErrorState, LoadingState } from '../components/states.tsx'
import { createAccess, type LoadedCapability } from '../session/access.ts'
import { AccessProvider, useApi, useConsole } from '../session/console-context.tsx'
import { isAwaitedReturn } from '../session/oauth.ts'
import { useIsSignedIn } from '../session/use-session-state.ts'
import { SignInView } from './sign-in-view.tsx'

const callerSchema = withMembers<CallerRecord>({ did: 'string', scopes: 'array', operator: 'boolean' })
const capabilitiesSchema = withMembers<{ readonly capabilities: readonly LoadedCapability[] }>({
  capabilities: 'array',
})

interface SignedInProps {
  /** Loads the views. */
  readonly load: () => Promise<ComponentType>
}

/** Shows the views to a user who signed in, with their rights; otherwise the sign-in. */
export const SignedIn = ({ load }: SignedInProps) => {
  const { session } = useConsole()
  const isSignedIn = useIsSignedIn(session)
  // A user who signs in again, for other rights, is still signed in with the former ones until this is complete.
  const [isBack, setBack] = useState(() => isAwaitedReturn(new URLSearchParams(location.search)))
  useEffect(() => {
    const stop = isBack ? session.subscribe(() => setBack(false)) : undefined
    return () => stop?.()
  }, [isBack, session])
  return isSignedIn && !isBack ? <WithAccess load={load} /> : <SignInView />
}

const WithAccess = ({ load }: SignedInProps) => {
  const api = useApi()
  const { oracleName } = useConsole()
  const views = useQuery({ queryKey: ['views'], queryFn: () => loadView(load), staleTime: Infinity, retry: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['access'],
    queryFn: async ({ signal }) => {
      const [caller, list] = await Promise.all([
        api.get('/me', { schema: callerSchema, signal }),
        api.get('/capabilities', { schema: capabilitiesSchema, signal }).catch((error: unknown) => {
          // Without `session/read` the list is unavailable. After any other error the last one stays.
          if (error instanceof Problem && error.status === 403) return { capabilities: undefined }
          throw error
        }),
      ])
      return createAccess(caller, list.capabilities)
    },
    refetchInterval: 300_000,
  })
  // Deferred, the first view is rendered in slices, between which the browser handles input.
  const isReady = useDeferredValue(data !== undefined && views.data !== undefined, false)
  if (isReady && data && views.data) {
    return (
      <AccessProvider value={data}>
        <views.data />
      </AccessProvider>
    )
  }
  if (!views.error && !error) return <LoadingState />
  return (
    <Center mih="100dvh" p="md" component="main">
      <Stack>
        <Title order={1}>{oracleName}</Title>
        {views.error ? <FailedView error={views.error} /> : <ErrorState error={error} onRetry={refetch} />}
      </Stack>
    </Center>
  )
}
