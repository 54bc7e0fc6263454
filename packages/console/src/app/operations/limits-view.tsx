import { Group, Paper, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import type { LimitRecord, OperatorStatusRecord } from '@sibyl/operations/records'
import { useTranslation } from 'react-i18next'
import { QueryStates } from '../components/query-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { useFormat } from '../components/use-format.ts'
import { OperationsPage } from './operations-page.tsx'
import { useStatus } from './use-status.ts'

/** Budgets and limits, with their use. */
export const LimitsView = () => {
  const status = useStatus()
  return (
    <OperationsPage view="limits">
      <QueryStates query={status}>{data => <Limits status={data} />}</QueryStates>
    </OperationsPage>
  )
}

const Limits = ({ status }: { readonly status: OperatorStatusRecord }) => {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const { budgets, limits, process } = status
  const { tokens, budget, perDid } = budgets
  return (
    <>
      <Paper withBorder p="sm">
        <Group justify="space-between">
          <Text size="sm" fw={600}>
            {t('limits.budget')}
          </Text>
          <Text size="xs" c="dimmed">
            {t('limits.resets')} <RelativeTime value={budgets.resetsAt} />
          </Text>
        </Group>
        <Text size="sm" my={4}>
          {budget === undefined
            ? t('limits.usedWithoutBudget', { tokens: format.number(tokens) })
            : t('limits.usedOf', { tokens: format.number(tokens), budget: format.number(budget) })}
        </Text>
        {budget !== undefined && <Bar share={tokens / budget} label={t('limits.budget')} />}
        {perDid !== undefined && (
          <Text size="xs" c="dimmed" mt={6}>
            {t('limits.perDid', { tokens: format.number(perDid) })}
          </Text>
        )}
      </Paper>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {limits.map(limit => (
          <LimitCard key={limit.name} limit={limit} />
        ))}
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {t('limits.process', { id: process.id.slice(0, 8) })}
      </Text>
    </>
  )
}

const LimitCard = ({ limit }: { readonly limit: LimitRecord }) => {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const { name, perMinute, callers, limited, fullest } = limit
  return (
    <Paper withBorder p="sm">
      <Stack gap={4}>
        <Text size="sm" fw={600}>
          {t(`limits.names.${name}`, { defaultValue: name })}
        </Text>
        <Text size="xs" c="dimmed">
          {perMinute === undefined
            ? t(name === 'address' || name === 'did' ? 'limits.unlimited' : 'limits.byPlugin')
            : t('limits.perMinute', { count: perMinute })}
        </Text>
        <Bar share={fullest} label={t('limits.busiest')} />
        <Text size="xs">{t('limits.callers', { count: callers, limited: format.number(limited) })}</Text>
      </Stack>
    </Paper>
  )
}

const Bar = ({ share, label }: { readonly share: number; readonly label: string }) => {
  const format = useFormat()
  const text = `${label}: ${format.percent(share)}`
  return (
    <Progress
      value={Math.min(100, share * 100)}
      color={share >= 0.9 ? 'red' : share >= 0.7 ? 'orange' : 'brand'}
      aria-label={text}
      title={text}
    />
  )
}
