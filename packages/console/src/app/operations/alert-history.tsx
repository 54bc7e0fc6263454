import { Group, Text } from '@mantine/core'
import { type AlertEventRecord, alertEventRecord } from '@sibyl/operations/records'
import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../components/data-table.tsx'
import { Note } from '../components/note.tsx'
import { PageStates } from '../components/page-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { useFormat } from '../components/use-format.ts'
import { usePages } from '../components/use-pages.ts'
import { StateBadge } from './state-badge.tsx'

/** The firings of all alerts, and their deliveries. */
export const AlertHistory = () => {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const events = usePages('/operator/alert-events', 'events', {}, { schema: alertEventRecord, refetchInterval: 30_000 })
  const columns: readonly Column<AlertEventRecord>[] = [
    {
      key: 'at',
      header: t('history.at'),
      width: '7rem',
      cell: ({ at }) => (
        <Text size="sm">
          <RelativeTime value={at} />
        </Text>
      ),
    },
    {
      key: 'name',
      header: t('history.alert'),
      cell: ({ name, value }) => (
        <Text size="sm" truncate>
          {name}
          <Text span size="xs" c="dimmed" ml={6}>
            {value === undefined ? '' : format.number(value)}
          </Text>
        </Text>
      ),
    },
    { key: 'kind', header: t('history.kind'), width: '6.5rem', cell: ({ kind }) => <StateBadge state={kind} /> },
    {
      key: 'delivery',
      header: t('history.delivery'),
      wideOnly: true,
      cell: ({ delivery, fault }) => (
        <Group gap={6} wrap="nowrap">
          <StateBadge state={delivery === 'none' ? 'quiet' : delivery} />
          <Text size="xs" c="dimmed" lineClamp={2} title={fault}>
            {fault}
          </Text>
        </Group>
      ),
    },
  ]
  return (
    <div>
      <Text fw={600} size="sm" component="h2" mb={4}>
        {t('history.title')}
      </Text>
      <PageStates pages={events} empty={<Note>{t('history.empty')}</Note>}>
        <DataTable
          label={t('history.title')}
          columns={columns}
          rows={events.items}
          rowKey={({ id }) => id}
          maxHeight="24rem"
          pages={events}
        />
      </PageStates>
    </div>
  )
}
