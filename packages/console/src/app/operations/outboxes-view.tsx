import { Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import type { OutboxRecord } from '@sibyl/operations/records'
import { Send } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { CountLink } from '../components/count-link.tsx'
import { operatorCurl } from '../components/curl.ts'
import { deliveriesPath, useOutboxes } from '../components/failure-counts.ts'
import { QueryStates } from '../components/query-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { EmptyState } from '../components/states.tsx'
import { useFormat } from '../components/use-format.ts'
import { useApi } from '../session/console-context.tsx'
import { OperationsPage } from './operations-page.tsx'
import { RetryDeliveries } from './retry-deliveries.tsx'

/** Outboxes with pending deliveries and dead letters. */
export const OutboxesView = () => {
  const { t } = useTranslation('operations')
  const api = useApi()
  const outboxes = useOutboxes()
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

/** An outbox with its counts, and the retry of what was given up. */
const OutboxCard = ({ outbox }: { readonly outbox: OutboxRecord }) => {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const { name, pending, retrying, dead, firstDueAt, reason } = outbox
  const numbers = [
    ['pending', pending, 'waiting'],
    ...(retrying === undefined ? [] : [['retrying', retrying, 'waiting'] as const]),
    ['dead', dead, 'dead'],
  ] as const
  return (
    <Paper withBorder p="sm" component="section" aria-label={name}>
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Group gap="lg">
          {numbers.map(([key, value, state]) => (
            <div key={key}>
              <Text size="xs" c="dimmed">
                {t(`outboxes.${key}`)}
              </Text>
              <Text fw={600}>
                <CountLink to={deliveriesPath(outbox, state)} count={value} isFailure={key === 'dead'}>
                  {format.number(value)}
                </CountLink>
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
          {dead > 0 && <RetryDeliveries name={name} />}
        </Group>
      </Stack>
    </Paper>
  )
}
