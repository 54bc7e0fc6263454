import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { type OutboxMessage, outboxMessage } from '@sibyl/plugin-sms/records'
import { MessageSquare } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { operatorCurl } from '../components/curl.ts'
import { type Column, DataTable } from '../components/data-table.tsx'
import { PageStates } from '../components/page-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { EmptyState } from '../components/states.tsx'
import { usePages } from '../components/use-pages.ts'
import { useAccess, useApi } from '../session/console-context.tsx'
import { LogAnchor } from './log-anchor.tsx'
import { OperationsPage } from './operations-page.tsx'
import { RetryDeliveries } from './retry-deliveries.tsx'
import { StateBadge } from './state-badge.tsx'

const states = ['failed', 'waiting', 'unknown', 'sent'] as const

/** The SMS of all phones in one state, with the reason why they were not sent. */
export const SmsOutboxView = () => {
  const { t } = useTranslation('operations')
  const api = useApi()
  const mayRead = useAccess().may('operator/read')
  const [asked] = useState(() => new URLSearchParams(location.search).get('state'))
  const [state, setState] = useState(() => states.find(one => one === asked) ?? 'failed')
  const messages = usePages(
    '/sms/outbox',
    'messages',
    { state },
    { schema: outboxMessage, enabled: mayRead, refetchInterval: 30_000 },
  )
  const columns = useColumns()
  return (
    <OperationsPage view="sms">
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={t('jobs.state')}
          value={state}
          onChange={value => setState(value as (typeof states)[number])}
          data={states.map(value => ({ value, label: t(`state.${value}`) }))}
        />
        {state === 'failed' && messages.items.length > 0 && <RetryDeliveries name="sms/messages" />}
      </Group>
      <PageStates
        pages={messages}
        empty={<EmptyState icon={<MessageSquare size={28} aria-hidden />} title={t('sms.empty')} />}
      >
        <DataTable
          label={t('sms.title')}
          columns={columns}
          rows={messages.items}
          rowKey={({ id }) => id}
          rowHeight={76}
          pages={messages}
        />
      </PageStates>
      <CommandHint
        title={t('overview.sameByCall')}
        commands={[
          operatorCurl('GET', api.url('sms/outbox', { state })),
          operatorCurl('POST', api.url('operator/outboxes/retry'), { name: 'sms/messages' }),
        ]}
      />
    </OperationsPage>
  )
}

const useColumns = (): readonly Column<OutboxMessage>[] => {
  const { t } = useTranslation('operations')
  return [
    {
      key: 'message',
      header: t('sms.message'),
      width: '12rem',
      cell: ({ to, text, reason, advice, settledAt, createdAt }, isNarrow) => (
        <Stack gap={0}>
          <Text size="sm">{to}</Text>
          <Text size="xs" c="dimmed" lineClamp={isNarrow ? 1 : 2} title={text}>
            {text ?? t('sms.secret')}
          </Text>
          {isNarrow && (
            <Text size="xs" lineClamp={2} title={advice}>
              <RelativeTime value={settledAt ?? createdAt} /> · {reason ?? ''}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      key: 'state',
      header: t('jobs.state'),
      width: '7rem',
      wideOnly: true,
      cell: ({ state, attempts }) => (
        <Stack gap={0} align="flex-start">
          <StateBadge state={state} />
          <Text size="xs" c="dimmed">
            {t('jobs.attempts', { count: attempts })}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'reason',
      header: t('plugins.reason'),
      wideOnly: true,
      cell: ({ reason, advice }) => (
        <Stack gap={0}>
          <Text size="xs" lineClamp={2} title={reason}>
            {reason}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={2} title={advice}>
            {advice}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'at',
      header: t('history.at'),
      width: '7rem',
      wideOnly: true,
      cell: ({ settledAt, createdAt }) => (
        <Text size="sm">
          <RelativeTime value={settledAt ?? createdAt} />
        </Text>
      ),
    },
    { key: t('jobs.actions'), header: '', width: '6rem', cell: ({ id }) => <LogAnchor text={id} /> },
  ]
}
