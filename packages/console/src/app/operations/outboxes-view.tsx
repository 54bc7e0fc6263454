import { Anchor, Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { type OutboxRecord, outboxRecord } from '@sibyl/operations/records'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { CommandHint } from '../components/command-hint.tsx'
import { operatorCurl } from '../components/curl.ts'
import { QueryStates } from '../components/query-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { EmptyState } from '../components/states.tsx'
import { useFormat } from '../components/use-format.ts'
import { useNotify } from '../components/use-notify.ts'
import { useAccess, useApi } from '../session/console-context.tsx'
import { OperationsPage } from './operations-page.tsx'

/** Outboxes with pending deliveries and dead letters. */
export const OutboxesView = () => {
  const { t } = useTranslation('operations')
  const api = useApi()
  const mayRead = useAccess().may('operator/read')
  const outboxes = useQuery({
    queryKey: ['operator', 'outboxes'],
    queryFn: ({ signal }) =>
      api.get('/operator/outboxes', { schema: z.object({ outboxes: z.array(outboxRecord) }), signal }),
    enabled: mayRead,
    refetchInterval: 30_000,
  })
  return (
    <OperationsPage view="outboxes">
      <QueryStates query={outboxes}>
        {({ outboxes: list }) =>
          list.length === 0 ? (
            <EmptyState icon={<Send size={28} aria-hidden />} title={t('outboxes.empty')}>
              {t('outboxes.emptyRemedy')}
            </EmptyState>
          ) : (
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
              {list.map(outbox => (
                <OutboxCard key={outbox.name} outbox={outbox} />
              ))}
            </SimpleGrid>
          )
        }
      </QueryStates>
      <CommandHint
        title={t('overview.sameByCall')}
        commands={[operatorCurl('POST', api.url('operator/outboxes/retry'), { name: '<name>' })]}
      />
    </OperationsPage>
  )
}

const OutboxCard = ({ outbox }: { readonly outbox: OutboxRecord }) => {
  const { t } = useTranslation('operations')
  const notify = useNotify()
  const format = useFormat()
  const api = useApi()
  const { may } = useAccess()
  const queries = useQueryClient()
  const { name, pending, retrying, dead, firstDueAt, reason, ofPlugin } = outbox
  const retry = useMutation({
    mutationFn: () => api.post('/operator/outboxes/retry', { schema: z.object({ retried: z.int() }), body: { name } }),
    onSuccess: ({ retried }) => notify.done(t('outboxes.retried', { count: retried })),
    onError: error => notify.failed(error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['operator', 'outboxes'] }),
  })
  const numbers = [
    ['pending', pending],
    ...(retrying === undefined ? [] : [['retrying', retrying] as const]),
    ['dead', dead],
  ] as const
  return (
    <Paper withBorder p="sm" component="section" aria-label={name}>
      <Stack gap="xs">
        {ofPlugin ? (
          <Text size="sm" fw={600}>
            {name}
          </Text>
        ) : (
          <Anchor
            size="sm"
            fw={600}
            renderRoot={props => <Link to={`/operations/jobs?kind=${encodeURIComponent(name)}`} {...props} />}
          >
            {name}
          </Anchor>
        )}
        <Group gap="lg">
          {numbers.map(([key, value]) => (
            <div key={key}>
              <Text size="xs" c="dimmed">
                {t(`outboxes.${key}`)}
              </Text>
              <Text fw={600} {...(key === 'dead' && value > 0 && { c: 'red' })}>
                {format.number(value)}
              </Text>
            </div>
          ))}
        </Group>
        {dead > 0 && reason !== undefined && (
          <Text size="xs" c="red">
            {reason}
          </Text>
        )}
        <Group justify="space-between" mih={26}>
          <Text size="xs" c="dimmed">
            {firstDueAt !== undefined && (
              <>
                {t('outboxes.first')} <RelativeTime value={firstDueAt} />
              </>
            )}
          </Text>
          {dead > 0 && may('operator/write') && (
            <Button size="compact-xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
              {t('outboxes.retry')}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}
