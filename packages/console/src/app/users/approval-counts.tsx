import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../components/relative-time.tsx'
import { useApprovalCounts } from './use-approvals.ts'

/** The pending approvals of all users in numbers, for the operator. */
export const ApprovalCounts = () => {
  const { t } = useTranslation('users')
  const { data } = useApprovalCounts()
  if (!data) return null
  const { pending, people, oldestAskedAt, ages } = data
  return (
    <Group gap={4}>
      <Text size="sm" c="dimmed">
        {pending === 0
          ? t('approvals.allNone')
          : t('approvals.all', { pending, people: t('approvals.people', { count: people }) })}
        {oldestAskedAt !== undefined && (
          <>
            {' '}
            {t('approvals.oldest')} <RelativeTime value={oldestAskedAt} />.
          </>
        )}
        {ages.older > 0 && ` ${t('approvals.old', { count: ages.older })}`}
      </Text>
    </Group>
  )
}
