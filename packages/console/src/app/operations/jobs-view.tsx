import { Box, Button, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { type JobRecord, type JobStateRecord, jobRecord } from '@sibyl/operations/records'
import { useQueryClient } from '@tanstack/react-query'
import { Briefcase } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { operatorCurl } from '../components/curl.ts'
import { type Column, DataTable } from '../components/data-table.tsx'
import { useJobKinds } from '../components/failure-counts.ts'
import { PageStates } from '../components/page-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { EmptyState } from '../components/states.tsx'
import { useNotify } from '../components/use-notify.ts'
import { usePages } from '../components/use-pages.ts'
import { useAccess, useApi } from '../session/console-context.tsx'
import { LogAnchor } from './log-anchor.tsx'
import { OperationsPage } from './operations-page.tsx'
import { StateBadge } from './state-badge.tsx'

const states: readonly JobStateRecord[] = ['waiting', 'running', 'dead', 'done', 'cancelled']

/** Durable jobs in one state, with retry and cancel. */
export const JobsView = () => {
  const { t } = useTranslation('operations')
  const api = useApi()
  const mayRead = useAccess().may('operator/read')
  const [asked] = useState(() => new URLSearchParams(location.search))
  const [state, setState] = useState(() => states.find(one => one === asked.get('state')) ?? 'waiting')
  const [kind, setKind] = useState(() => asked.get('kind'))
  const kinds = useJobKinds()
  const jobs = usePages(
    '/operator/jobs',
    'jobs',
    { state, kind: kind ?? undefined },
    { schema: jobRecord, enabled: mayRead, refetchInterval: 30_000 },
  )
  const list = kinds.data?.kinds ?? []
  const counted = kind === null ? list : list.filter(one => one.kind === kind)
  const countOf = (one: JobStateRecord) => counted.reduce((sum, record) => sum + record[one], 0)
  const columns = useColumns()
  return (
    <OperationsPage view="jobs">
      <Group gap="sm" align="flex-end">
        <Box maw="100%" style={{ overflowX: 'auto' }}>
          <SegmentedControl
            size="xs"
            aria-label={t('jobs.state')}
            value={state}
            onChange={value => setState(value as JobStateRecord)}
            data={states.map(value => ({ value, label: `${t(`state.${value}`)} ${countOf(value)}` }))}
          />
        </Box>
        <Select
          size="xs"
          aria-label={t('jobs.kind')}
          placeholder={t('jobs.allKinds')}
          clearable
          clearButtonProps={{ 'aria-label': t('jobs.allKinds') }}
          searchable
          value={kind}
          onChange={setKind}
          data={list.map(one => one.kind)}
          w={240}
        />
      </Group>
      <PageStates
        pages={jobs}
        empty={
          <EmptyState
            icon={<Briefcase size={28} aria-hidden />}
            title={t('jobs.empty', { state: t(`state.${state}`) })}
          >
            {t(state === 'dead' ? 'jobs.emptyDead' : 'jobs.emptyOther')}
          </EmptyState>
        }
      >
        <DataTable
          label={t('jobs.title')}
          columns={columns}
          rows={jobs.items}
          rowKey={({ id }) => id}
          rowHeight={64}
          pages={jobs}
        />
      </PageStates>
      <CommandHint
        title={t('overview.sameByCall')}
        commands={[
          operatorCurl('GET', api.url('operator/jobs', { state })),
          operatorCurl('POST', `${api.url('operator/jobs/')}<id>/retry`),
        ]}
      />
    </OperationsPage>
  )
}

const useColumns = (): readonly Column<JobRecord>[] => {
  const { t } = useTranslation('operations')
  return [
    {
      key: 'kind',
      header: t('jobs.kind'),
      cell: ({ kind, id, dueAt, endedAt, error }, isNarrow) => (
        <Stack gap={0}>
          <Text size="sm" truncate title={kind}>
            {kind}
          </Text>
          <Text size="xs" c="dimmed" ff="monospace" truncate title={id}>
            {id.slice(0, 8)} {error && <LogAnchor text={id} />}
          </Text>
          {isNarrow && (
            <Text size="xs" c="dimmed" lineClamp={2}>
              <RelativeTime value={endedAt ?? dueAt} />
              {error === undefined ? '' : ` · ${error.code ?? error.text}`}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      key: 'state',
      header: t('jobs.state'),
      width: '8rem',
      wideOnly: true,
      cell: ({ state, attempts, maxAttempts }) => (
        <Stack gap={0} align="flex-start">
          <StateBadge state={state} />
          <Text size="xs" c="dimmed">
            {maxAttempts === undefined
              ? t('jobs.attempts', { count: attempts })
              : t('jobs.attemptsOf', { attempts, most: maxAttempts })}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'due',
      header: t('jobs.due'),
      width: '7rem',
      wideOnly: true,
      cell: ({ dueAt, endedAt }) => (
        <Text size="sm">
          <RelativeTime value={endedAt ?? dueAt} />
        </Text>
      ),
    },
    {
      key: 'error',
      header: t('jobs.error'),
      wideOnly: true,
      cell: ({ error }) =>
        error && (
          <Text size="xs" lineClamp={2} title={error.text}>
            {error.code === undefined ? '' : `${error.code}: `}
            {error.text}
          </Text>
        ),
    },
    { key: t('jobs.actions'), header: '', width: '11rem', cell: job => <JobActions job={job} /> },
  ]
}

const JobActions = ({ job }: { readonly job: JobRecord }) => {
  const { t } = useTranslation('operations')
  const notify = useNotify()
  const api = useApi()
  const { may } = useAccess()
  const queries = useQueryClient()
  if (!may('operator/write') || job.state === 'done' || job.state === 'cancelled') return null
  const changed = async () => {
    await queries.invalidateQueries({ queryKey: ['/operator/jobs'] })
    await queries.invalidateQueries({ queryKey: ['operator', 'job-kinds'] })
  }
  const retry = async () => {
    try {
      await api.post(`/operator/jobs/${job.id}/retry`)
      notify.done(t('jobs.retried'))
    } catch (error) {
      notify.failed(error)
    }
    await changed()
  }
  const isRetryable = job.state === 'dead' || (job.state === 'waiting' && job.error !== undefined)
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {isRetryable && (
        <Button size="compact-xs" variant="default" onClick={() => void retry()}>
          {t('jobs.retry')}
        </Button>
      )}
      <ConfirmButton
        label={t('jobs.cancel')}
        title={t('jobs.cancelTitle', { kind: job.kind })}
        size="compact-xs"
        onConfirm={async () => {
          await api.post(`/operator/jobs/${job.id}/cancel`)
          await changed()
        }}
      >
        <Text size="sm">{t('jobs.cancelText')}</Text>
      </ConfirmButton>
    </Group>
  )
}
