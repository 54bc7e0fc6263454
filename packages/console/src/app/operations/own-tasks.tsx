import { Alert, Button, Group, Stack, Switch, Text } from '@mantine/core'
import { type TaskRecord, taskRecord } from '@sibyl/plugin-tasks/records'
import type { JsonObject } from '@sibyl/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { FormButton } from '../components/schema-form.tsx'
import { EmptyState } from '../components/states.tsx'
import { useNotify } from '../components/use-notify.ts'
import { useAccess, useApi } from '../session/console-context.tsx'
import { StateBadge } from './state-badge.tsx'
import { TaskState } from './task-state.tsx'
import { useScheduleText } from './use-schedule-text.ts'

/** The tasks of the user, with their failures. */
export const OwnTasks = () => {
  const { t } = useTranslation('operations')
  const api = useApi()
  const { may } = useAccess()
  const mayWrite = may('tasks/write')
  const [isAll, setAll] = useState(false)
  const tasks = useQuery({
    queryKey: ['/tasks', isAll],
    queryFn: ({ signal }) =>
      api.get('/tasks', {
        schema: z.object({ tasks: z.array(taskRecord) }),
        query: { all: isAll ? 'true' : undefined },
        signal,
      }),
    refetchInterval: 60_000,
  })
  const columns = useColumns()
  return (
    <>
      <Group gap="md">
        {mayWrite && <AddTask />}
        <Switch
          size="xs"
          label={t('tasks.all')}
          checked={isAll}
          onChange={event => setAll(event.currentTarget.checked)}
        />
      </Group>
      <QueryStates query={tasks}>
        {({ tasks: rows }) =>
          rows.length === 0 ? (
            <EmptyState icon={<CalendarClock size={28} aria-hidden />} title={t('tasks.empty')}>
              {t('tasks.emptyRemedy')}
            </EmptyState>
          ) : (
            <DataTable label={t('tasks.title')} columns={columns} rows={rows} rowKey={({ id }) => id} rowHeight={64} />
          )
        }
      </QueryStates>
    </>
  )
}

const useColumns = (): readonly Column<TaskRecord>[] => {
  const { t } = useTranslation('operations')
  const scheduleText = useScheduleText()
  return [
    {
      key: 'what',
      header: t('tasks.what'),
      cell: ({ what, state, ...schedule }, isNarrow) => (
        <Stack gap={0}>
          <Text size="sm" truncate title={what}>
            {what}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {scheduleText(schedule)}
          </Text>
          {isNarrow && <StateBadge state={state} />}
        </Stack>
      ),
    },
    {
      key: 'state',
      header: t('jobs.state'),
      width: '7rem',
      wideOnly: true,
      cell: task => <TaskState {...task} />,
    },
    {
      key: 'next',
      header: t('tasks.next'),
      width: '7rem',
      wideOnly: true,
      cell: ({ next }) => next && <RelativeTime value={next} />,
    },
    { key: t('jobs.actions'), header: '', width: '12rem', cell: task => <TaskActions task={task} /> },
  ]
}

const TaskActions = ({ task }: { readonly task: TaskRecord }) => {
  const { t } = useTranslation('operations')
  const notify = useNotify()
  const api = useApi()
  const { may } = useAccess()
  const queries = useQueryClient()
  const changed = () => queries.invalidateQueries({ queryKey: ['/tasks'] })
  const act = useMutation({
    mutationFn: (action: 'runs' | 'pause' | 'resume') => api.post(`/tasks/${task.id}/${action}`),
    onError: error => notify.failed(error),
    onSettled: changed,
  })
  if (!may('tasks/write') || task.state === 'done' || task.state === 'cancelled') return null
  const toggle = task.state === 'active' ? 'pause' : 'resume'
  return (
    <Group gap={4} justify="flex-end">
      {task.state === 'active' && (
        <Button size="compact-xs" variant="default" onClick={() => act.mutate('runs')}>
          {t('tasks.run')}
        </Button>
      )}
      <Button size="compact-xs" variant="default" onClick={() => act.mutate(toggle)}>
        {t(`tasks.${toggle}`)}
      </Button>
      <ConfirmButton
        label={t('tasks.cancel')}
        title={t('tasks.cancelTitle')}
        size="compact-xs"
        onConfirm={async () => {
          await api.delete(`/tasks/${task.id}`)
          await changed()
        }}
      >
        <Text size="sm">{task.what}</Text>
      </ConfirmButton>
    </Group>
  )
}

const everies = ['once', 'hour', 'day', 'weekday', 'week', 'month'] as const

const plan = z.object({ summary: z.string() })

/** Adds a scheduled task: shows its next runs first, with date and time zone. */
const AddTask = () => {
  const { t } = useTranslation('operations')
  const api = useApi()
  const notify = useNotify()
  const queries = useQueryClient()
  const [planned, setPlanned] = useState<string>()
  const schema = useMemo(() => {
    const text = (name: string, more: JsonObject = {}) => ({
      type: 'string',
      title: t(`tasks.form.${name}` as 'tasks.form.what'),
      ...more,
    })
    return {
      type: 'object',
      required: ['what', 'every'],
      properties: {
        what: text('what'),
        every: text('every', {
          enum: [...everies],
          titles: Object.fromEntries(everies.map(one => [one, t(`tasks.form.everies.${one}`)])),
          default: 'day',
        }),
        time: text('time', { format: 'time', default: '07:00' }),
        day: text('day', { format: 'date' }),
        timeZone: text('timeZone', { default: Intl.DateTimeFormat().resolvedOptions().timeZone }),
        remind: { type: 'boolean', title: t('tasks.form.remind') },
      },
    }
  }, [t])
  return (
    <FormButton
      label={t('tasks.add')}
      submitLabel={t(planned === undefined ? 'tasks.preview' : 'tasks.create')}
      draft="task"
      schema={schema}
      onEdit={() => setPlanned(undefined)}
      onSubmit={async values => {
        const body = bodyOf(values)
        if (planned === undefined) {
          setPlanned((await api.post('/tasks/preview', { schema: plan, body })).summary)
          return false
        }
        await api.post('/tasks', { body })
        setPlanned(undefined)
        notify.done(t('tasks.added'))
        await queries.invalidateQueries({ queryKey: ['/tasks'] })
        return true
      }}
    >
      {planned !== undefined && (
        <Alert variant="light" role="status">
          <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
            {planned}
          </Text>
        </Alert>
      )}
    </FormButton>
  )
}

/** Returns the body of `POST /tasks`: the day of the form is that of the week or of the month, or the only one. */
const bodyOf = ({ what, every, time = '07:00', day, timeZone, remind }: JsonObject): object => {
  const date = typeof day === 'string' ? day : new Date().toLocaleDateString('sv')
  const weekday = new Date(`${date}T12:00Z`)
    .toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })
    .toLowerCase()
  const when =
    every === 'once'
      ? { at: `${date}T${String(time)}` }
      : {
          every,
          time,
          ...(every === 'week' ? { on: weekday } : {}),
          ...(every === 'month' ? { dayOfMonth: Number(date.slice(8)) } : {}),
        }
  return { what, when, timeZone, remind }
}
