import { ActionIcon, Group, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { type DueRunRecord, dueRunRecord } from '@sibyl/plugin-tasks/records'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { type Column, DataTable } from '../components/data-table.tsx'
import { PersonLink } from '../components/person-link.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { EmptyState } from '../components/states.tsx'
import { useApi } from '../session/console-context.tsx'
import classes from './due-calendar.module.css'

/** Months ahead that can be shown: the oracle looks a year ahead. */
const maxMonths = 11

const dueRuns = z.object({ runs: z.array(dueRunRecord), until: z.iso.datetime() })

/** The due runs of tasks by month, in the time zone of the browser, and those of a day. */
export const DueCalendar = ({ isOfAll }: { readonly isOfAll: boolean }) => {
  const path = isOfAll ? '/tasks/all/due' : '/tasks/due'
  const { t, i18n } = useTranslation('operations')
  const api = useApi()
  const [ahead, setAhead] = useState(0)
  const [chosen, setChosen] = useState<string>()
  const month = useMemo(() => monthOf(ahead), [ahead])
  const due = useQuery({
    queryKey: [path, month.from],
    queryFn: ({ signal }) =>
      api.get(path, { schema: dueRuns, query: { from: month.from, days: String(month.days) }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
  const date = (options: Intl.DateTimeFormatOptions, at: Date) =>
    new Intl.DateTimeFormat(i18n.language, options).format(at)
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <ActionIcon
          variant="default"
          aria-label={t('tasks.calendar.previous')}
          disabled={ahead === 0}
          onClick={() => setAhead(ahead - 1)}
        >
          <ChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <Text size="sm" fw={600} role="status" w="9rem" ta="center">
          {date({ month: 'long', year: 'numeric' }, month.first)}
        </Text>
        <ActionIcon
          variant="default"
          aria-label={t('tasks.calendar.next')}
          disabled={ahead === maxMonths}
          onClick={() => setAhead(ahead + 1)}
        >
          <ChevronRight size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <QueryStates query={due}>
        {({ runs, until }) => {
          const byDay = Map.groupBy(runs, ({ at }) => dayOf(new Date(at)))
          const days = month.dates.map(dayOf)
          const day = chosen !== undefined && days.includes(chosen) ? chosen : days.find(one => byDay.has(one))
          return (
            <>
              <div className={classes.month}>
                {weekdays.map(at => (
                  <Text key={at.getTime()} size="xs" c="dimmed" aria-hidden>
                    {date({ weekday: 'short' }, at)}
                  </Text>
                ))}
                {month.dates.map(at => (
                  <Day
                    key={dayOf(at)}
                    at={at}
                    label={date({ day: 'numeric', month: 'long' }, at)}
                    count={byDay.get(dayOf(at))?.length ?? 0}
                    isChosen={dayOf(at) === day}
                    onChoose={() => setChosen(dayOf(at))}
                  />
                ))}
              </div>
              {day === undefined ? (
                <EmptyState title={t('tasks.calendar.empty')} />
              ) : (
                <RunsOfDay title={date({ dateStyle: 'full' }, new Date(`${day}T12:00`))} runs={byDay.get(day) ?? []} />
              )}
              {dayOf(new Date(until)) < days.at(-1)! && (
                <Text size="sm" c="dimmed">
                  {t('tasks.calendar.cut', {
                    time: date({ dateStyle: 'medium', timeStyle: 'short' }, new Date(until)),
                  })}
                </Text>
              )}
            </>
          )
        }}
      </QueryStates>
    </Stack>
  )
}

/** A day of the calendar, with the number of its runs. */
const Day = ({
  at,
  label,
  count,
  isChosen,
  onChoose,
}: {
  readonly at: Date
  readonly label: string
  readonly count: number
  readonly isChosen: boolean
  readonly onChoose: () => void
}) => {
  const { t } = useTranslation('operations')
  const place = { gridColumnStart: ((at.getDay() + 6) % 7) + 1 }
  return count === 0 ? (
    <Text size="sm" c="dimmed" style={place}>
      {at.getDate()}
    </Text>
  ) : (
    <UnstyledButton className={classes.day} style={place} aria-pressed={isChosen} onClick={onChoose}>
      <VisuallyHidden>{t('tasks.calendar.day', { count, day: label })}</VisuallyHidden>
      <Text size="sm" aria-hidden>
        {at.getDate()}
      </Text>
      <Text size="xs" fw={700} aria-hidden>
        {count}
      </Text>
    </UnstyledButton>
  )
}

const RunsOfDay = ({ title, runs }: { readonly title: string; readonly runs: readonly DueRunRecord[] }) => {
  const { t, i18n } = useTranslation('operations')
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'short' })
  const columns: readonly Column<DueRunRecord>[] = [
    { key: 'at', header: t('tasks.form.time'), width: '6rem', cell: ({ at }) => time.format(new Date(at)) },
    {
      key: 'task',
      header: t(runs[0]?.did === undefined ? 'tasks.what' : 'tasks.owner'),
      cell: ({ what, did, timeZone }) => (
        <Stack gap={0} align="flex-start">
          {did === undefined ? (
            <Text size="sm" truncate maw="100%" title={what ?? ''}>
              {what}
            </Text>
          ) : (
            <PersonLink did={did} />
          )}
          <Text size="xs" c="dimmed">
            {timeZone}
          </Text>
        </Stack>
      ),
    },
  ]
  return (
    <>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {runs.length === 0 ? (
        <Text size="sm">{t('tasks.calendar.none')}</Text>
      ) : (
        <DataTable
          label={title}
          columns={columns}
          rows={runs}
          rowKey={({ task, at }) => `${task} ${at}`}
          rowHeight={56}
        />
      )}
    </>
  )
}

/** The day in the time zone of the browser: `2026-12-01`. */
const dayOf = (at: Date): string => at.toLocaleDateString('sv')

/** A week, to name its days. 2024 began on a Monday. */
const weekdays = Array.from({ length: 7 }, (_, place) => new Date(2024, 0, 1 + place))

/** Returns a month with its days, and what to ask for: the runs from now on. */
const monthOf = (ahead: number) => {
  const now = new Date()
  const first = new Date(now.getFullYear(), now.getMonth() + ahead, 1)
  const count = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate()
  const dates = Array.from({ length: count }, (_, place) => new Date(first.getFullYear(), first.getMonth(), 1 + place))
  // A day more than the month has: clocks change.
  return { first, dates, from: (ahead === 0 ? now : first).toISOString(), days: count + 1 }
}
