import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useApprovals } from './use-approvals.ts'

/** The number of approvals that wait for the user; nothing without any. */
export const ApprovalsBadge = () => {
  const { t } = useTranslation()
  const { items, hasMore } = useApprovals()
  if (items.length === 0) return null
  return (
    <Badge size="sm" variant="filled" aria-label={t('navigation.waiting', { count: items.length })}>
      {items.length}
      {hasMore ? '+' : ''}
    </Badge>
  )
}
