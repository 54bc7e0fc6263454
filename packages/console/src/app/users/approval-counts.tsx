import { Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useApprovalCounts } from '../components/failure-counts.ts'
import { Note } from '../components/note.tsx'
import { RelativeTime } from '../components/relative-time.tsx'

/** The pending approvals of all users in numbers, for the operator. */
export const ApprovalCounts = () => {
  const { t } = useTranslation('users')
  const { data } = useApprovalCounts()
  if (!data) return null
  const { pending, people, oldestAskedAt, ages } = data
  return (
    <Group gap={4}>
      <Note>
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
      </Note>
    </Group>
  )
}
