import { Button, Code, Group, Modal, Paper, Stack, Text } from '@mantine/core'
import type { AlertEventRecord, AlertRecord, CreatedAlertRecord } from '@sibyl/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { operatorCurl } from '../components/curl.ts'
import { type Column, DataTable } from '../components/data-table.tsx'
import { Note } from '../components/note.tsx'
import { PageStates } from '../components/page-states.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { EmptyState } from '../components/states.tsx'
import { useFormat } from '../components/use-format.ts'
import { useNotify } from '../components/use-notify.ts'
import { usePages } from '../components/use-pages.ts'
import { useAccess, useApi } from '../session/console-context.tsx'
import { AlertForm } from './alert-form.tsx'
import { OperationsPage } from './operations-page.tsx'
import { StateBadge } from './state-badge.tsx'

/** Alerts with their states, and the history of their firings. */
export const AlertsView = () => {
  const { t } = useTranslation('operations')
  const { t: common } = useTranslation()
  const api = useApi()
  const { may } = useAccess()
  const mayRead = may('operator/read')
  const queries = useQueryClient()
  const [edited, setEdited] = useState<AlertRecord | 'new'>()
  const [secret, setSecret] = useState<string>()
  const alerts = useQuery({
    queryKey: ['operator', 'alerts'],
    queryFn: ({ signal }) =>
      api.get<{ alerts: AlertRecord[]; channels: AlertRecord['target']['channel'][] }>('/operator/alerts', { signal }),
    enabled: mayRead,
    refetchInterval: 30_000,
  })
  const saved = async (alert: CreatedAlertRecord) => {
    setEdited(undefined)
    setSecret(alert.secret)
    await queries.invalidateQueries({ queryKey: ['operator', 'alerts'] })
  }
  const create = may('operator/write') && (
    <Button size="xs" onClick={() => setEdited('new')}>
      {t('alerts.create')}
    </Button>
  )
  return (
    <OperationsPage view="alerts" actions={alerts.data?.alerts.length ? create : undefined}>
      <QueryStates query={alerts}>
        {({ alerts: list }) =>
          list.length === 0 ? (
            <EmptyState icon={<BellRing size={28} aria-hidden />} title={t('alerts.empty')}>
              <Note>{t('alerts.emptyRemedy')}</Note>
              {create}
            </EmptyState>
          ) : (
            <>
              <Stack gap="xs">
                {list.map(alert => (
                  <AlertCard key={alert.id} alert={alert} onEdit={() => setEdited(alert)} />
                ))}
              </Stack>
              <AlertHistory />
            </>
          )
        }
      </QueryStates>
      <CommandHint
        title={t('overview.sameByCall')}
        commands={[
          operatorCurl('POST', api.url('operator/alerts'), {
            name: 'Turns fail',
            metric: 'failed_turns_percent',
            comparison: 'above',
            threshold: 5,
            target: { webhook: 'https://hooks.example.org/sibyl' },
          }),
        ]}
      />
      {edited !== undefined && alerts.data && (
        <AlertForm
          alert={edited === 'new' ? undefined : edited}
          channels={alerts.data.channels}
          onClose={() => setEdited(undefined)}
          onSaved={saved}
        />
      )}
      <Modal
        opened={secret !== undefined}
        onClose={() => setSecret(undefined)}
        title={t('alerts.secretTitle')}
        closeButtonProps={{ 'aria-label': common('action.close') }}
      >
        <Stack gap="xs">
          <Text size="sm">{t('alerts.secretText')}</Text>
          <Group gap={4} wrap="nowrap">
            <Code block flex={1}>
              {secret}
            </Code>
            <CopyButton value={secret ?? ''} />
          </Group>
        </Stack>
      </Modal>
    </OperationsPage>
  )
}

const AlertCard = ({ alert, onEdit }: { readonly alert: AlertRecord; readonly onEdit: () => void }) => {
  const { t } = useTranslation('operations')
  const notify = useNotify()
  const { t: common } = useTranslation()
  const format = useFormat()
  const api = useApi()
  const { may } = useAccess()
  const queries = useQueryClient()
  const test = useMutation({
    mutationFn: () => api.post(`/operator/alerts/${alert.id}/test`),
    onSuccess: () => notify.done(t('alerts.tested', { target: alert.target.shown })),
    onError: error => notify.failed(error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['/operator/alert-events'] }),
  })
  const { name, state, enabled, value, since, checkedAt, target } = alert
  return (
    <Paper withBorder p="sm" component="section" aria-label={name}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Stack gap={2} miw={0} flex="1 1 15rem">
          <Group gap="xs">
            <Text fw={600} size="sm">
              {name}
            </Text>
            <StateBadge state={enabled ? state : 'off'} />
            {state === 'firing' && since !== undefined && (
              <Text size="xs" c="dimmed">
                {t('alerts.since')} <RelativeTime value={since} />
              </Text>
            )}
          </Group>
          <Text size="sm">
            <RuleText alert={alert} />
          </Text>
          <Text size="xs" c="dimmed">
            {t('alerts.value', { value: value === undefined ? '–' : format.number(value) })}
            {checkedAt !== undefined && (
              <>
                {' '}
                <RelativeTime value={checkedAt} />
              </>
            )}
            {' · '}
            {t('alerts.to', { channel: t(`channel.${target.channel}`), target: target.shown })}
          </Text>
        </Stack>
        {may('operator/write') && (
          <Group gap={4}>
            <Button size="compact-xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              {t('alerts.test')}
            </Button>
            <Button size="compact-xs" variant="default" onClick={onEdit}>
              {t('alerts.edit')}
            </Button>
            <ConfirmButton
              label={common('action.delete')}
              title={t('alerts.deleteTitle', { name })}
              size="compact-xs"
              onConfirm={async () => {
                await api.delete(`/operator/alerts/${alert.id}`)
                await queries.invalidateQueries({ queryKey: ['operator', 'alerts'] })
                await queries.invalidateQueries({ queryKey: ['/operator/alert-events'] })
              }}
            >
              <Text size="sm">{t('alerts.deleteText')}</Text>
            </ConfirmButton>
          </Group>
        )}
      </Group>
    </Paper>
  )
}

/** A rule as a sentence. */
const RuleText = ({ alert }: { readonly alert: AlertRecord }) => {
  const { t } = useTranslation('operations')
  const format = useFormat()
  return t(`alerts.rule_${alert.comparison}`, {
    metric: t(`metric.${alert.metric}`),
    threshold: format.number(alert.threshold),
    minutes: alert.minutes,
  })
}

const AlertHistory = () => {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const events = usePages<AlertEventRecord>('/operator/alert-events', 'events', {}, { refetchInterval: 30_000 })
  const columns: readonly Column<AlertEventRecord>[] = [
    {
      key: 'at',
      header: t('history.at'),
      width: '7rem',
      cell: ({ at }) => (
        <Text size="sm">
          <RelativeTime value={at} />
        </Text>
      ),
    },
    {
      key: 'name',
      header: t('history.alert'),
      cell: ({ name, value }) => (
        <Text size="sm" truncate>
          {name}
          <Text span size="xs" c="dimmed" ml={6}>
            {value === undefined ? '' : format.number(value)}
          </Text>
        </Text>
      ),
    },
    { key: 'kind', header: t('history.kind'), width: '6.5rem', cell: ({ kind }) => <StateBadge state={kind} /> },
    {
      key: 'delivery',
      header: t('history.delivery'),
      wideOnly: true,
      cell: ({ delivery, fault }) => (
        <Group gap={6} wrap="nowrap">
          <StateBadge state={delivery === 'none' ? 'quiet' : delivery} />
          <Text size="xs" c="dimmed" lineClamp={2} title={fault}>
            {fault}
          </Text>
        </Group>
      ),
    },
  ]
  return (
    <div>
      <Text fw={600} size="sm" component="h2" mb={4}>
        {t('history.title')}
      </Text>
      <PageStates pages={events} empty={<Note>{t('history.empty')}</Note>}>
        <DataTable
          label={t('history.title')}
          columns={columns}
          rows={events.items}
          rowKey={({ id }) => id}
          maxHeight="24rem"
          pages={events}
        />
      </PageStates>
    </div>
  )
}
