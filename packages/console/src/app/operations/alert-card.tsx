import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import type { AlertRecord } from '@sibyl/operations/records'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { CountLink } from '../components/count-link.tsx'
import { logPath } from '../components/failure-counts.ts'
import { RelativeTime } from '../components/relative-time.tsx'
import { useFormat } from '../components/use-format.ts'
import { useNotify } from '../components/use-notify.ts'
import { useAccess, useApi } from '../session/console-context.tsx'
import { StateBadge } from './state-badge.tsx'

/** Where the rows of a value are. */
const rowsOf: Partial<Readonly<Record<AlertRecord['metric'], string>>> = {
  failed_turns_per_minute: logPath('a turn'),
  failed_turns_percent: logPath('a turn'),
  tokens_today: '/users/people',
  dead_letters: '/operations/outboxes',
  dead_jobs: '/operations/jobs?state=dead',
  late_job_minutes: '/operations/jobs?state=waiting',
  plugins_failing: '/operations#plugins',
}

/** An alert with its rule and its state, which can be tested, changed and deleted. */
export const AlertCard = ({ alert, onEdit }: { readonly alert: AlertRecord; readonly onEdit: () => void }) => {
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
  const { name, state, enabled, metric, value, since, checkedAt, target } = alert
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
            <CountLink to={rowsOf[metric]} count={value ?? 0}>
              {t('alerts.value', { value: value === undefined ? '–' : format.number(value) })}
            </CountLink>
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
