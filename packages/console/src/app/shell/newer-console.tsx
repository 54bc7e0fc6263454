import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { withMembers } from '../api/with-members.ts'
import { useApi, useConsole } from '../session/console-context.tsx'

/** Milliseconds between two reads of the oracle's build while the tab is visible. */
const intervalMs = 60_000

const buildSchema = withMembers<{ readonly build: string }>({ build: 'string' })

/** A notice in a tab that was open while the oracle got another console. The user chooses when to reload. */
export const NewerConsole = ({ isUnreachable }: { readonly isUnreachable: boolean }) => {
  const { t } = useTranslation()
  const api = useApi()
  const { build } = useConsole()
  const { data, refetch } = useQuery({
    queryKey: ['console build'],
    // Other queries report that the oracle does not respond.
    queryFn: ({ signal }) => api.get('/console/build', { schema: buildSchema, signal }).catch(() => ({ build })),
    refetchInterval: intervalMs,
  })
  const wasUnreachable = useRef(false)
  useEffect(() => {
    // An oracle that is back may be an upgraded one.
    if (wasUnreachable.current && !isUnreachable) void refetch()
    wasUnreachable.current = isUnreachable
  }, [isUnreachable, refetch])
  if (data === undefined || data.build === build) return null
  return (
    <Group gap="xs" role="status" mb="sm">
      <RefreshCw size={16} aria-hidden />
      <Text size="sm">{t('state.newer')}</Text>
      <Button size="compact-xs" variant="default" onClick={() => location.reload()}>
        {t('state.reload')}
      </Button>
    </Group>
  )
}
