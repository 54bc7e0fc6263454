import { Box, Paper, SimpleGrid, Table, Text } from '@mantine/core'
import type { TurnsSummaryRecord } from '@sibyl/operations/records'
import { tokenUsageRecord } from '@sibyl/operations/records'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { CountLink } from '../components/count-link.tsx'
import { Note } from '../components/note.tsx'
import { PersonLink } from '../components/person-link.tsx'
import { TimePlot } from '../components/time-plot.tsx'
import { type TurnSearch, turnsPath } from '../components/turn-table.tsx'
import { useFormat } from '../components/use-format.ts'
import { useApi } from '../session/console-context.tsx'
import type { Range } from './turns-summary.ts'

/** Reads the tokens of each day and of the users with the most. */
export const useTokenUsage = () => {
  const api = useApi()
  return useQuery({
    queryKey: ['operator', 'usage'],
    queryFn: ({ signal }) =>
      api.get('/operator/usage', { schema: tokenUsageRecord, query: { days: 30, users: 8 }, signal }),
    refetchInterval: 300_000,
  })
}

/** Tokens of each of the last 30 days. */
export const DayPlot = () => {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const { data } = useTokenUsage()
  const plot = useMemo(() => {
    const days = data?.days ?? []
    return {
      times: days.map(({ day }) => Date.parse(`${day}T12:00:00Z`) / 1_000),
      series: [{ label: t('usage.tokens'), color: 'teal', values: days.map(({ tokens }) => tokens) }],
    }
  }, [data, t])
  if (!data) return null
  return <TimePlot title={t('usage.dayTitle')} times={plot.times} series={plot.series} format={format.short} byDay />
}

/** Usage by model, tool, error and user. */
export const UsageTables = ({ summary, range }: { readonly summary: TurnsSummaryRecord; readonly range: Range }) => {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const usage = useTokenUsage()
  const turnsOf = (count: number, filters: TurnSearch) => (
    <CountLink to={turnsPath({ range, ...filters })} count={count} isFailure={filters.result !== undefined}>
      {format.number(count)}
    </CountLink>
  )
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
      <Facts
        title={t('usage.users')}
        head={[t('usage.user'), t('usage.tokens')]}
        rows={(usage.data?.users ?? []).map(({ did, tokens }) => [
          did,
          [
            // The name appears later, and must not move the next column.
            <Box key={did} w="11.5rem">
              <PersonLink did={did} />
            </Box>,
            <CountLink key="tokens" to={turnsPath({ range: 'month', person: did })} count={tokens}>
              {format.short(tokens)}
            </CountLink>,
          ],
        ])}
      />
      <Facts
        title={t('usage.models')}
        head={[t('usage.model'), t('usage.turns'), t('usage.errors'), t('plots.p95'), t('usage.tokens')]}
        rows={summary.models.map(({ model, turns, errors, durationMs, usage: used }) => [
          model,
          [
            model,
            turnsOf(turns, { model }),
            turnsOf(errors, { model, result: 'error' }),
            durationMs ? format.duration(durationMs.p95) : '–',
            format.short(used.inputTokens + used.outputTokens),
          ],
        ])}
      />
      <Facts
        title={t('usage.tools')}
        head={[t('usage.tool'), t('usage.calls'), t('usage.failed'), t('plots.p95')]}
        rows={summary.tools
          .toSorted((one, other) => other.failed - one.failed)
          .map(({ capability, tool, calls, failed, durationMs }) => [
            `${capability} ${tool}`,
            [
              <Text key="tool" span inherit>
                {tool}{' '}
                <Text span size="xs" c="dimmed">
                  {capability}
                </Text>
              </Text>,
              turnsOf(calls, { tool }),
              turnsOf(failed, { tool, result: 'tool-error' }),
              format.duration(durationMs.p95),
            ],
          ])}
      />
      {summary.errors.length > 0 && (
        <Facts
          title={t('usage.errorsTitle')}
          head={[t('usage.code'), t('usage.turns')]}
          rows={summary.errors.map(({ code, turns }) => [code, [code, turnsOf(turns, { code, result: 'error' })]])}
        />
      )}
    </SimpleGrid>
  )
}

/** A short table; the first column is text, the others are numbers. */
const Facts = ({
  title,
  head,
  rows,
}: {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly [key: string, cells: readonly ReactNode[]])[]
}) => {
  const { t } = useTranslation('operations')
  return (
    <Paper withBorder p="sm">
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      {rows.length === 0 ? (
        <Note>{t('usage.none')}</Note>
      ) : (
        <Table verticalSpacing={4} horizontalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              {head.map((name, index) => (
                <Table.Th key={name} ta={index === 0 ? 'left' : 'right'} fw={500} c="dimmed" fz="xs">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, 12).map(([key, cells]) => (
              <Table.Tr key={key}>
                {cells.map((cell, index) => (
                  <Table.Td key={head[index]} ta={index === 0 ? 'left' : 'right'} fz="sm">
                    {cell}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  )
}
