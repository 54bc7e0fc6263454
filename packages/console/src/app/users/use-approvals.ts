import type { PendingApproval } from '@sibyl/core/records'
import { withMembers } from '../api/with-members.ts'
import { type Pages, usePages } from '../components/use-pages.ts'
import { useAccess } from '../session/console-context.tsx'

/** Milliseconds between two reads while the tab is visible. */
export const approvalsIntervalMs = 30_000

export const approvalsPage = 20

/** Reads the approvals that wait for the user. The badge and the view share them. */
export const useApprovals = (): Pages<PendingApproval> =>
  usePages(
    '/approvals',
    'approvals',
    { limit: approvalsPage },
    {
      schema: withMembers<PendingApproval>({
        id: 'string',
        kind: 'string',
        sessionId: 'string',
        question: 'string',
        mayApprove: 'boolean',
        askedAt: 'string',
      }),
      enabled: useAccess().may('session/read'),
      refetchInterval: approvalsIntervalMs,
    },
  )
