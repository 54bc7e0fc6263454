import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { StateBadge } from './state-badge.tsx'

/** The state of a task, and why it stopped or how often it failed. */
export const TaskState = ({
  state,
  failures,
  stopReason,
}: {
  readonly state: string
  readonly failures: number
  readonly stopReason?: string | undefined
}) => {
  const { t } = useTranslation('operations')
  const trouble = stopReason ?? (failures > 0 ? t('tasks.failures', { count: failures }) : '')
  return (
    <Stack gap={0} align="flex-start">
      <StateBadge state={state} />
      <Text size="xs" c="dimmed" truncate maw="100%" title={trouble}>
        {trouble}
      </Text>
    </Stack>
  )
}
