import { Button, Group } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { claimRecord } from '@sibyl/plugin-claims/records'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { useShortcuts } from '../../components/shortcuts.tsx'
import { useApi } from '../../session/console-context.tsx'

/** Leads to the neighbors in the queue of the user. */
export const QueueButtons = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const navigate = useNavigate()
  const { isOn } = useShortcuts()
  const { data } = useQuery({
    queryKey: ['claims-queue'],
    queryFn: ({ signal }) =>
      api.get('v1/claims', {
        schema: z.object({ claims: z.array(claimRecord) }),
        query: { deciding: 'true', order: 'oldest', limit: 200 },
        signal,
      }),
  })
  const queue = data?.claims.map(claim => claim.id) ?? []
  // Ids ascend with time, so that a claim that left the queue still has neighbors.
  const previous = queue.findLast(other => other < id)
  const next = queue.find(other => other > id)
  const open = (other: string | undefined) => {
    if (other !== undefined) void navigate({ to: '/twins/claims/$id', params: { id: other } })
  }
  useHotkeys(
    isOn
      ? [
          ['j', () => open(next)],
          ['k', () => open(previous)],
        ]
      : [],
  )
  return (
    <Group gap={4}>
      <Button size="xs" variant="subtle" renderRoot={props => <Link to="/twins/claims" {...props} />}>
        {t('claims.queue', { count: queue.length })}
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={previous === undefined}
        onClick={() => open(previous)}
        leftSection={<ChevronLeft size={14} aria-hidden />}
      >
        {t('claims.previous')}
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={next === undefined}
        onClick={() => open(next)}
        rightSection={<ChevronRight size={14} aria-hidden />}
      >
        {t('claims.next')}
      </Button>
    </Group>
  )
}
