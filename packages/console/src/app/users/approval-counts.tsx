import { Group } from '@mantine/core'
import { approvalCounts } from '@sibyl/core/records'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Note } from '../components/note.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { useApi } from '../session/console-context.tsx'
import { approvalsIntervalMs } from './use-approvals.ts'

/** Reads the numbers of the pending approvals of all users, for the operator. */
export const useApprovalCounts = () => {
  const api = useApi()
  return useQuery({
    queryKey: ['/operator/approvals'],
    queryFn: ({ signal }) => api.get('/operator/approvals', { schema: approvalCounts, signal }),
    refetchInterval: approvalsIntervalMs,
  })
}

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
