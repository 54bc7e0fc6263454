import {
  Button,
  Group,
  Modal,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core'
import type { AlertMetric } from '@sibyl/core/records'
import { type AlertRecord, type CreatedAlertRecord, createdAlertRecord } from '@sibyl/operations/records'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionForm } from '../components/action-form.tsx'
import { useApi } from '../session/console-context.tsx'

type Channel = AlertRecord['target']['channel']

/** Metrics in the order of the form, with a first rule that is usually wanted. */
const metrics: Readonly<Record<AlertMetric, readonly ['above' | 'below', number]>> = {
  failed_turns_percent: ['above', 5],
  failed_turns_per_minute: ['above', 1],
  turn_p95_seconds: ['above', 30],
  turns_per_minute: ['above', 100],
  tokens_today: ['above', 10_000_000],
  token_budget_percent: ['above', 80],
  dead_letters: ['above', 0],
  dead_jobs: ['above', 0],
  late_job_minutes: ['above', 5],
  plugins_failing: ['above', 0],
  model_circuit_open: ['above', 0],
  database_ms: ['above', 500],
  disk_free_percent: ['below', 10],
  memory_mb: ['above', 1_000],
}

/** Creates or changes an alert. */
export const AlertForm = ({
  alert,
  channels,
  onClose,
  onSaved,
}: {
  readonly alert: AlertRecord | undefined
  readonly channels: readonly Channel[]
  readonly onClose: () => void
  readonly onSaved: (alert: CreatedAlertRecord) => Promise<void>
}) => {
  const { t } = useTranslation('operations')
  const { t: common } = useTranslation()
  const api = useApi()
  const [rule, setRule] = useState({
    name: alert?.name ?? '',
    metric: alert?.metric ?? ('failed_turns_percent' as AlertMetric),
    comparison: alert?.comparison ?? ('above' as const),
    threshold: alert?.threshold ?? metrics.failed_turns_percent[1],
    minutes: alert?.minutes ?? 5,
    quietMinutes: alert?.quietMinutes ?? 60,
    enabled: alert?.enabled ?? true,
  })
  const [channel, setChannel] = useState<Channel>(alert?.target.channel ?? channels[0] ?? 'webhook')
  const [address, setAddress] = useState('')
  const change = (changes: Partial<typeof rule>) => setRule(known => ({ ...known, ...changes }))
  const save = useMutation({
    mutationFn: async () => {
      const target = address.trim() === '' ? {} : { target: { [channel]: address.trim() } }
      const body = { ...rule, ...target }
      await onSaved(
        alert === undefined
          ? await api.post('/operator/alerts', { schema: createdAlertRecord, body })
          : await api.put(`/operator/alerts/${alert.id}`, { schema: createdAlertRecord, body }),
      )
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(alert === undefined ? 'alerts.create' : 'alerts.edit')}
      closeButtonProps={{ 'aria-label': common('action.close') }}
    >
      <ActionForm action={save}>
        <Stack gap="sm">
          <TextInput
            label={t('form.name')}
            required
            maxLength={100}
            value={rule.name}
            onChange={event => change({ name: event.currentTarget.value })}
            data-autofocus
          />
          <Select
            label={t('form.metric')}
            allowDeselect={false}
            value={rule.metric}
            onChange={value => {
              const metric = value as AlertMetric
              const [comparison, threshold] = metrics[metric]
              change({ metric, comparison, threshold })
            }}
            data={(Object.keys(metrics) as AlertMetric[]).map(value => ({ value, label: t(`metric.${value}`) }))}
          />
          <Group gap="sm" align="flex-end" wrap="nowrap">
            <SegmentedControl
              aria-label={t('form.comparison')}
              value={rule.comparison}
              onChange={value => change({ comparison: value as 'above' | 'below' })}
              data={[
                { value: 'above', label: t('form.above') },
                { value: 'below', label: t('form.below') },
              ]}
            />
            <NumberInput
              flex={1}
              label={t('form.threshold')}
              required
              value={rule.threshold}
              onChange={value => change({ threshold: Number(value) || 0 })}
            />
          </Group>
          <Group gap="sm" grow align="flex-start">
            <NumberInput
              label={t('form.minutes')}
              min={1}
              max={1_440}
              allowDecimal={false}
              value={rule.minutes}
              onChange={value => change({ minutes: Number(value) || 1 })}
            />
            <NumberInput
              label={t('form.quiet')}
              min={0}
              max={10_080}
              allowDecimal={false}
              value={rule.quietMinutes}
              onChange={value => change({ quietMinutes: Number(value) || 0 })}
            />
          </Group>
          <Stack gap={4}>
            <Text size="sm" fw={500}>
              {channels.length > 1 ? t('form.target') : t('form.webhook')}
            </Text>
            {channels.length > 1 && (
              <SegmentedControl
                aria-label={t('form.target')}
                value={channel}
                onChange={value => setChannel(value as Channel)}
                data={channels.map(value => ({ value, label: t(`channel.${value}`) }))}
              />
            )}
            <TextInput
              aria-label={t(`form.address_${channel}`)}
              placeholder={t(`form.address_${channel}`)}
              description={alert === undefined ? undefined : t('form.keeps', { target: alert.target.shown })}
              required={alert === undefined}
              maxLength={2_000}
              value={address}
              onChange={event => setAddress(event.currentTarget.value)}
            />
          </Stack>
          <Switch
            label={t('form.enabled')}
            checked={rule.enabled}
            onChange={event => change({ enabled: event.currentTarget.checked })}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {common('action.cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {common('action.save')}
            </Button>
          </Group>
        </Stack>
      </ActionForm>
    </Modal>
  )
}
