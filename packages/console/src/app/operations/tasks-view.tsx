import { Group, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NotAllowedState, PluginOffState } from '../components/states.tsx'
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
  const { has, may } = useAccess()
  const isAllowed = whose === 'all' || may('tasks/read')
  if (!has('tasks')) {
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
      {!isAllowed && <NotAllowedState ability="tasks/read" />}
      {isAllowed && form === 'calendar' && <DueCalendar key={whose} isOfAll={whose === 'all'} />}
      {isAllowed && form === 'list' && (whose === 'all' ? <AllTasks /> : <OwnTasks />)}
    </OperationsPage>
  )
}
