import type { ApprovalCounts, PendingApproval } from '@sibyl/core/records'
import { useQuery } from '@tanstack/react-query'
import { type Pages, usePages } from '../components/use-pages.ts'
import { useAccess, useApi } from '../session/console-context.tsx'

/** Milliseconds between two reads while the tab is visible. */
const intervalMs = 30_000

/** Approvals of one page. */
export const approvalsPage = 20

/** Reads the approvals that wait for the user. The badge and the view share them. */
export const useApprovals = (): Pages<PendingApproval> =>
  usePages<PendingApproval>(
    '/approvals',
    'approvals',
    { limit: approvalsPage },
    {
      enabled: useAccess().may('session/read'),
      refetchInterval: intervalMs,
    },
  )

/** Reads the numbers of the pending approvals of all users, for the operator. */
export const useApprovalCounts = () => {
  const api = useApi()
  return useQuery({
    queryKey: ['/operator/approvals'],
    queryFn: ({ signal }) => api.get<ApprovalCounts>('/operator/approvals', { signal }),
    refetchInterval: intervalMs,
  })
}
