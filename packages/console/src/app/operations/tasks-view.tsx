import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PluginOffState } from '../components/states.tsx'
import { useAccess } from '../session/console-context.tsx'
import { AllTasks } from './all-tasks.tsx'
import { OperationsPage } from './operations-page.tsx'
import { OwnTasks } from './own-tasks.tsx'

/** The tasks of all users, and those of the operator. */
export const TasksView = () => {
  const { t } = useTranslation('operations')
  const [whose, setWhose] = useState('all')
  if (!useAccess().has('tasks')) {
    return (
      <OperationsPage view="tasks">
        <PluginOffState plugin="tasks" />
      </OperationsPage>
    )
  }
  return (
    <OperationsPage view="tasks">
      <SegmentedControl
        size="xs"
        aria-label={t('tasks.whose')}
        value={whose}
        onChange={setWhose}
        data={[
          { value: 'all', label: t('tasks.ofAll') },
          { value: 'own', label: t('tasks.own') },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      {whose === 'all' ? <AllTasks /> : <OwnTasks />}
    </OperationsPage>
  )
}
