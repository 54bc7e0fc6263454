import { Group, Paper, Text } from '@mantine/core'
import type { ClaimRecord } from '@sibyl/plugin-claims/records'
import { useTranslation } from 'react-i18next'
import { withMembers } from '../api/with-members.ts'
import { useAccess } from '../session/console-context.tsx'
import { CountLink } from './count-link.tsx'
import { deliveriesPath, useApprovalCounts, useJobKinds, useOutboxes } from './failure-counts.ts'
import { useFormat } from './use-format.ts'
import { usePages } from './use-pages.ts'

/** Numbers of failures and of decisions that wait; each opens its rows. */
export const Attention = () => {
  const { t } = useTranslation()
  const { number } = useFormat()
  const { capabilities, may, has } = useAccess()
  const kinds = useJobKinds().data?.kinds ?? []
  const outboxes = useOutboxes().data?.outboxes ?? []
  const approvals = useApprovalCounts().data?.pending ?? 0
  const claims = usePages(
    'v1/claims',
    'claims',
    { order: 'oldest', deciding: 'true', limit: 100 },
    { schema: withMembers<ClaimRecord>({ id: 'string' }), enabled: has('claims') && may('claims/evaluate') },
  )
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  const failing = outboxes.filter(({ dead }) => dead > 0)
  const retrying = outboxes.filter(one => (one.retrying ?? 0) > 0)
  /** The rows of the only outbox, or all outboxes. */
  const listOf = (some: typeof outboxes, state: 'waiting' | 'dead') =>
    (some.length === 1 && some[0] && deliveriesPath(some[0], state)) || '/operations/outboxes'
  const failed = [
    ['deliveries', sum(failing.map(({ dead }) => dead)), listOf(failing, 'dead')],
    [
      'jobs',
      sum(kinds.filter(({ purpose }) => purpose !== 'outbox').map(({ dead }) => dead)),
      '/operations/jobs?state=dead',
    ],
    [
      'plugins',
      capabilities.filter(({ state }) => state === 'failed' || state === 'degraded').length,
      '/operations#plugins',
    ],
  ] as const
  const waiting = [
    ['retrying', sum(retrying.map(one => one.retrying ?? 0)), listOf(retrying, 'waiting')],
    ['approvals', approvals, '/users/waiting'],
    ['claims', claims.items.length, '/twins/claims?show=mine'],
  ] as const
  const shown = [...failed, ...waiting].filter(([, count]) => count > 0)
  if (shown.length === 0) return null
  return (
    <Paper withBorder p="sm" component="section" aria-label={t('attention.title')}>
      <Text size="sm" fw={600} mb={4}>
        {t('attention.title')}
      </Text>
      <Group gap="lg" fz="sm">
        {shown.map(([name, count, to]) => (
          <CountLink key={name} to={to} count={count} isFailure={failed.some(([of]) => of === name)}>
            {t(`attention.${name}`, {
              count,
              shown: `${number(count)}${name === 'claims' && claims.hasMore ? '+' : ''}`,
            })}
          </CountLink>
        ))}
      </Group>
    </Paper>
  )
}
