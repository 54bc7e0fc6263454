import { Center } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { ErrorState, LoadingState } from '../components/states.tsx'
import { AccessProvider, useApi } from '../session/console-context.tsx'
import { createExplorerRouter } from './explorer-router.tsx'
import { KeyForm } from './key-form.tsx'
import type { KeySession } from './key-session.ts'
import { readAccess } from './read-access.ts'

/** Shows twins to a user with an API key; otherwise the form for the key. */
export const Explorer = ({ oracle, session }: { readonly oracle: URL; readonly session: KeySession }) => {
  const isOpen = useSyncExternalStore(session.subscribe, () => session.isOpen)
  return isOpen ? <Views onForget={session.close} /> : <KeyForm oracle={oracle} session={session} />
}

const Views = ({ onForget }: { readonly onForget: () => void }) => {
  const api = useApi()
  const [router] = useState(() => createExplorerRouter(onForget))
  const { data, error, refetch } = useQuery({
    queryKey: ['access'],
    queryFn: ({ signal }) => readAccess(api, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (data) {
    return (
      <AccessProvider value={data}>
        <RouterProvider router={router} />
        <Notifications position="bottom-right" />
      </AccessProvider>
    )
  }
  return (
    <Center mih="100dvh" p="md" component="main">
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState />}
    </Center>
  )
}
