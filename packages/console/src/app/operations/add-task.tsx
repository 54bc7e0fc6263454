import { Alert, Text } from '@mantine/core'
import type { JsonObject } from '@sibyl/protocol'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { FormButton } from '../components/schema-form.tsx'
import { useNotify } from '../components/use-notify.ts'
import { useApi } from '../session/console-context.tsx'

const everies = ['once', 'hour', 'day', 'weekday', 'week', 'month'] as const

const plan = z.object({ summary: z.string() })

/** Adds a scheduled task: shows its next runs first, with date and time zone. */
export const AddTask = () => {
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
