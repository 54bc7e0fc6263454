import { Group, Select, Stack, Switch, Text } from '@mantine/core'
import { type ListedTaskRecord, listedTaskRecord, taskStates } from '@sibyl/plugin-tasks/records'
import { CalendarClock } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { operatorCurl } from '../components/curl.ts'
import { type Column, DataTable } from '../components/data-table.tsx'
import { PageStates } from '../components/page-states.tsx'
import { PersonLink } from '../components/person-link.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { EmptyState } from '../components/states.tsx'
import { usePages } from '../components/use-pages.ts'
import { useApi } from '../session/console-context.tsx'
import { StateBadge } from './state-badge.tsx'
import { TaskState } from './task-state.tsx'
import { useScheduleText } from './use-schedule-text.ts'

/** The tasks of all users, without instructions and results. */
export const AllTasks = () => {
  const { t } = useTranslation('operations')
  const api = useApi()
  const [state, setState] = useState<string | null>(null)
  const [isFailing, setFailing] = useState(false)
  const filters = { state: state ?? undefined, failing: isFailing ? 'true' : undefined }
  const tasks = usePages('/tasks/all', 'tasks', filters, { schema: listedTaskRecord, refetchInterval: 60_000 })
  const columns = useColumns()
  return (
    <>
      <Group gap="md">
        <Select
          size="xs"
          aria-label={t('jobs.state')}
          placeholder={t('tasks.allStates')}
          clearable
          clearButtonProps={{ 'aria-label': t('tasks.allStates') }}
          value={state}
          onChange={setState}
          data={taskStates.map(value => ({ value, label: t(`state.${value}`) }))}
          w={180}
        />
        <Switch
          size="xs"
          label={t('tasks.failing')}
          checked={isFailing}
          onChange={event => setFailing(event.currentTarget.checked)}
        />
      </Group>
      <PageStates
        pages={tasks}
        empty={
          <EmptyState icon={<CalendarClock size={28} aria-hidden />} title={t('tasks.none')}>
            {t('tasks.noneRemedy')}
          </EmptyState>
        }
      >
        <DataTable
          label={t('tasks.title')}
          columns={columns}
          rows={tasks.items}
          rowKey={({ id }) => id}
          rowHeight={72}
          pages={tasks}
        />
      </PageStates>
      <CommandHint title={t('overview.sameByCall')} commands={[operatorCurl('GET', api.url('tasks/all', filters))]} />
    </>
  )
}

const useColumns = (): readonly Column<ListedTaskRecord>[] => {
  const { t } = useTranslation('operations')
  const scheduleText = useScheduleText()
  return [
    {
      key: 'owner',
      header: t('tasks.owner'),
      cell: ({ did, id, state, ...schedule }, isNarrow) => (
        <Stack gap={0} align="flex-start">
          <PersonLink did={did} />
          <Text size="xs" c="dimmed" truncate maw="100%" title={`${scheduleText(schedule)} (${id})`}>
            {scheduleText(schedule)}
          </Text>
          {isNarrow && <StateBadge state={state} />}
        </Stack>
      ),
    },
    {
      key: 'state',
      header: t('jobs.state'),
      width: '8rem',
      wideOnly: true,
      cell: task => <TaskState {...task} />,
    },
    {
      key: 'next',
      header: t('tasks.next'),
      width: '7rem',
      cell: ({ next }) => <Text size="sm">{next === undefined ? '–' : <RelativeTime value={next} />}</Text>,
    },
    {
      key: 'last',
      header: t('tasks.last'),
      width: '10rem',
      wideOnly: true,
      cell: ({ lastRun }) =>
        lastRun === undefined ? (
          <Text size="sm">–</Text>
        ) : (
          <Stack gap={0} align="flex-start">
            <Text size="sm">
              <RelativeTime value={lastRun.dueAt} />
            </Text>
            <Text size="xs" c="dimmed" truncate maw="100%" title={lastRun.code ?? ''}>
              {t(`tasks.outcome.${lastRun.state}`)}
              {lastRun.code === undefined ? '' : `: ${lastRun.code}`}
            </Text>
          </Stack>
        ),
    },
  ]
}
