import type { ApprovalCounts } from '@sibyl/core/records'
import type { JobKindRecord, OutboxRecord } from '@sibyl/operations/records'
import { useQuery } from '@tanstack/react-query'
import { withMembers } from '../api/with-members.ts'
import { useAccess, useApi } from '../session/console-context.tsx'

// The schemas of the records would be most of the script of the first view.
const outboxList = withMembers<{ readonly outboxes: readonly OutboxRecord[] }>({ outboxes: 'array' })
const kindList = withMembers<{ readonly kinds: readonly JobKindRecord[] }>({ kinds: 'array' })
const counts = withMembers<ApprovalCounts>({ pending: 'number', people: 'number', ages: 'object', channels: 'array' })

/** Reads a record of the operator every 30 seconds. */
const useOperatorRecord = <Content>(
  path: string,
  schema: ReturnType<typeof withMembers<Content>>,
  queryKey: readonly string[],
) => {
  const api = useApi()
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => api.get(path, { schema, signal }),
    enabled: useAccess().may('operator/read'),
    refetchInterval: 30_000,
  })
}

/** Reads the outboxes of all plugins, for the operator. */
export const useOutboxes = () => useOperatorRecord('/operator/outboxes', outboxList, ['operator', 'outboxes'])

/** Reads the kinds of jobs with their numbers, for the operator. */
export const useJobKinds = () => useOperatorRecord('/operator/job-kinds', kindList, ['operator', 'job-kinds'])

/** Reads the numbers of the pending approvals of all users, for the operator. */
export const useApprovalCounts = () => useOperatorRecord('/operator/approvals', counts, ['/operator/approvals'])

/** Returns the address of the list of deliveries; undefined where a plugin has no list. */
export const deliveriesPath = ({ name, ofPlugin }: OutboxRecord, state: 'waiting' | 'dead'): string | undefined => {
  if (name === 'sms/messages') return `/operations/outboxes/sms?state=${state === 'dead' ? 'failed' : 'waiting'}`
  return ofPlugin ? undefined : `/operations/jobs?state=${state}&kind=${encodeURIComponent(name)}`
}

/** Returns the address of the lines of the log with a text. */
export const logPath = (text: string, level = 'info'): string =>
  `/operations/log?level=${level}&text=${encodeURIComponent(text)}`
