import { Group, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PluginOffState } from '../components/states.tsx'
import { useAccess } from '../session/console-context.tsx'
import { AllTasks } from './all-tasks.tsx'
import { DueCalendar } from './due-calendar.tsx'
import { OperationsPage } from './operations-page.tsx'
import { OwnTasks } from './own-tasks.tsx'

/** The tasks of all users, and those of the operator. */
export const TasksView = () => {
  const { t } = useTranslation('operations')
  const [whose, setWhose] = useState('all')
  const [form, setForm] = useState('list')
  if (!useAccess().has('tasks')) {
    return (
      <OperationsPage view="tasks">
        <PluginOffState plugin="tasks" />
      </OperationsPage>
    )
  }
  return (
    <OperationsPage view="tasks">
      <Group gap="xs">
        <SegmentedControl
          size="xs"
          aria-label={t('tasks.whose')}
          value={whose}
          onChange={setWhose}
          data={[
            { value: 'all', label: t('tasks.ofAll') },
            { value: 'own', label: t('tasks.own') },
          ]}
        />
        <SegmentedControl
          size="xs"
          aria-label={t('tasks.calendar.shown')}
          value={form}
          onChange={setForm}
          data={[
            { value: 'list', label: t('tasks.list') },
            { value: 'calendar', label: t('tasks.calendar.title') },
          ]}
        />
      </Group>
      {form === 'calendar' && <DueCalendar key={whose} path={whose === 'all' ? '/tasks/all/due' : '/tasks/due'} />}
      {form === 'list' && (whose === 'all' ? <AllTasks /> : <OwnTasks />)}
    </OperationsPage>
  )
}
