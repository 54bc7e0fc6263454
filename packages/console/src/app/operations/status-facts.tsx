import { Badge, Group, SimpleGrid, Text } from '@mantine/core'
import type { OperatorStatusRecord } from '@sibyl/operations/records'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../components/relative-time.tsx'
import { useFormat } from '../components/use-format.ts'
import { Fact } from './fact.tsx'
import { StateBadge } from './state-badge.tsx'

/** The facts of the oracle and of the process that answered. */
export const StatusFacts = ({ status }: { readonly status: OperatorStatusRecord }) => {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const { process, database, model, budgets } = status
  const { eventLoopDelayMs: delay } = process
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, lg: 6 }} spacing="xs">
      <Fact label={t('facts.health')} note={t('facts.version', { version: status.version })}>
        <StateBadge state={status.status} />
      </Fact>
      <Fact label={t('facts.database')} note={database.engine}>
        {database.state === 'connected' ? format.duration(database.pingMs) : <StateBadge state="disconnected" />}
      </Fact>
      <Fact label={t('facts.model')} note={model.circuit && t(`circuit.${model.circuit}`)}>
        <Group gap={4} wrap="nowrap">
          <Text span inherit truncate title={model.description}>
            {model.name}
          </Text>
          {(model.circuit === 'open' || model.state !== 'ready') && (
            <Badge color="red" variant="filled" circle size="xs" />
          )}
        </Group>
      </Fact>
      <Fact label={t('facts.running')} note={t('facts.streams', { count: process.openStreams })}>
        {format.number(process.runningTurns)}
      </Fact>
      <Fact
        label={t('facts.memory')}
        note={t('facts.cpu', {
          share: format.percent(process.cpuShare),
          delay: delay ? format.duration(delay.p99) : '–',
        })}
      >
        {format.bytes(process.memory.rssBytes)}
      </Fact>
      <Fact
        label={t('facts.tokensToday')}
        note={
          budgets.budget === undefined
            ? t('facts.noBudget')
            : t('facts.ofBudget', { share: format.percent(budgets.tokens / budgets.budget) })
        }
      >
        {format.short(budgets.tokens)}
      </Fact>
      <Text size="xs" c="dimmed" style={{ gridColumn: '1 / -1' }}>
        {t('facts.process', { id: process.id.slice(0, 8), pid: process.pid, node: process.node })}{' '}
        <RelativeTime value={process.startedAt} />
      </Text>
    </SimpleGrid>
  )
}
