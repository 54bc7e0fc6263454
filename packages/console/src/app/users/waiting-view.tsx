import { Badge, Select, Stack, Text } from '@mantine/core'
import { waitingApproval } from '@sibyl/core/records'
import { Inbox } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { DataTable } from '../components/data-table.tsx'
import { useApprovalCounts } from '../components/failure-counts.ts'
import { PageStates } from '../components/page-states.tsx'
import { PersonLink } from '../components/person-link.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { EmptyState, NotAllowedState } from '../components/states.tsx'
import { usePages } from '../components/use-pages.ts'
import { useAccess } from '../session/console-context.tsx'
import { ApprovalCounts } from './approval-counts.tsx'
import { Channels } from './channels.tsx'
import { UsersPage } from './users-page.tsx'

/** The pending approvals of all users on every channel, for the operator, without contents. */
export const WaitingView = () => {
  const { t } = useTranslation('users')
  return (
    <UsersPage title={t('waiting.title')} description={t('waiting.description')}>
      {useAccess().may('operator/read') ? <WaitingTable /> : <NotAllowedState ability="operator/read" />}
    </UsersPage>
  )
}

const WaitingTable = () => {
  const { t } = useTranslation('users')
  const [channel, setChannel] = useState<string | null>(null)
  const { data: counts } = useApprovalCounts()
  const waiting = usePages(
    '/operator/approvals/pending',
    'approvals',
    { channel: channel ?? undefined },
    { schema: waitingApproval, refetchInterval: 30_000 },
  )
  return (
    <>
      <ApprovalCounts />
      <Select
        size="xs"
        label={t('waiting.channel')}
        placeholder={t('waiting.allChannels')}
        clearable
        clearButtonProps={{ 'aria-label': t('waiting.allChannels') }}
        value={channel}
        onChange={setChannel}
        data={(counts?.channels ?? []).map(one => ({ value: one.channel, label: `${one.channel} (${one.pending})` }))}
        maw={240}
      />
      <PageStates
        pages={waiting}
        empty={
          <EmptyState icon={<Inbox size={28} aria-hidden />} title={t('waiting.none')}>
            {t('waiting.noneRemedy')}
          </EmptyState>
        }
      >
        <DataTable
          label={t('waiting.title')}
          rows={waiting.items}
          rowKey={({ id }) => id}
          rowHeight={64}
          pages={waiting}
          columns={[
            {
              key: 'user',
              header: t('waiting.user'),
              cell: ({ did, addresses, channel, tool }, isNarrow) => (
                <Stack gap={0} align="flex-start">
                  <PersonLink did={did} />
                  <Channels channels={addresses} />
                  {isNarrow && (
                    <Text size="xs" c="dimmed" truncate maw="100%">
                      {channel} · {tool}
                    </Text>
                  )}
                </Stack>
              ),
            },
            {
              key: 'channel',
              header: t('waiting.channel'),
              width: '8rem',
              wideOnly: true,
              cell: ({ channel }) => (
                <Badge variant="light" color="gray" tt="none">
                  {channel}
                </Badge>
              ),
            },
            {
              key: 'tool',
              header: t('waiting.tool'),
              wideOnly: true,
              cell: ({ tool }) => (
                <Text size="sm" ff="monospace" truncate title={tool}>
                  {tool}
                </Text>
              ),
            },
            {
              key: 'asked',
              header: t('waiting.asked'),
              width: '7rem',
              cell: ({ askedAt }) => (
                <Text size="sm">
                  <RelativeTime value={askedAt} />
                </Text>
              ),
            },
            {
              key: 'expires',
              header: t('waiting.expires'),
              width: '7rem',
              wideOnly: true,
              cell: ({ expiresAt }) => (
                <Text size="sm">{expiresAt === undefined ? '–' : <RelativeTime value={expiresAt} />}</Text>
              ),
            },
          ]}
        />
      </PageStates>
      <CommandHint commands={['GET /operator/approvals/pending', 'GET /operator/approvals/pending?channel=matrix']} />
    </>
  )
}
