import type { ApprovalCounts } from '@sibyl/core/records'
import type { JobKindRecord, OutboxRecord } from '@sibyl/operations/records'
import { useQuery } from '@tanstack/react-query'
import { withMembers } from '../api/with-members.ts'
import { useAccess, useApi } from '../session/console-context.tsx'

// The schemas of the records would be most of the script of the first view.
const outboxList = withMembers<{ readonly outboxes: readonly OutboxRecord[] }>({ outboxes: 'array' })
const kindList = withMembers<{ readonly kinds: readonly JobKindRecord[] }>({ kinds: 'array' })
const counts = withMembers<ApprovalCounts>({ pending: 'number', people: 'number', ages: 'object', channels: 'array' })

const shared = { refetchInterval: 30_000 } as const

/** Reads the outboxes of all plugins, for the operator. */
export const useOutboxes = () => {
  const api = useApi()
  return useQuery({
    ...shared,
    queryKey: ['operator', 'outboxes'],
    queryFn: ({ signal }) => api.get('/operator/outboxes', { schema: outboxList, signal }),
    enabled: useAccess().may('operator/read'),
  })
}

/** Reads the kinds of jobs with their numbers, for the operator. */
export const useJobKinds = () => {
  const api = useApi()
  return useQuery({
    ...shared,
    queryKey: ['operator', 'job-kinds'],
    queryFn: ({ signal }) => api.get('/operator/job-kinds', { schema: kindList, signal }),
    enabled: useAccess().may('operator/read'),
  })
}

/** Reads the numbers of the pending approvals of all users, for the operator. */
export const useApprovalCounts = () => {
  const api = useApi()
  return useQuery({
    ...shared,
    queryKey: ['/operator/approvals'],
    queryFn: ({ signal }) => api.get('/operator/approvals', { schema: counts, signal }),
    enabled: useAccess().may('operator/read'),
  })
}

/** Returns the address of the list of deliveries; undefined where a plugin has no list. */
export const deliveriesPath = ({ name, ofPlugin }: OutboxRecord, state: 'waiting' | 'dead'): string | undefined => {
  if (name === 'sms/messages') return `/operations/outboxes/sms?state=${state === 'dead' ? 'failed' : 'waiting'}`
  return ofPlugin ? undefined : `/operations/jobs?state=${state}&kind=${encodeURIComponent(name)}`
}

/** Returns the address of the lines of the log with a text. */
export const logPath = (text: string, level = 'info'): string =>
  `/operations/log?level=${level}&text=${encodeURIComponent(text)}`
