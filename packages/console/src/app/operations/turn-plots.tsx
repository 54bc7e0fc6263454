import { SimpleGrid, Text } from '@mantine/core'
import type { TurnCounts, TurnsSummaryRecord } from '@sibyl/operations/records'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { CountLink } from '../components/count-link.tsx'
import { EmptyState } from '../components/states.tsx'
import { type PlotSeries, TimePlot } from '../components/time-plot.tsx'
import { turnsPath } from '../components/turn-table.tsx'
import { useFormat } from '../components/use-format.ts'
import type { Range } from './turns-summary.ts'

/** Turns, errors, latencies, tokens and cost over time. */
export const TurnPlots = ({
  summary,
  range,
  children,
}: {
  readonly summary: TurnsSummaryRecord
  readonly range: Range
  /** Further plots of the grid. */
  readonly children: ReactNode
}) => {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const { buckets, bucketSeconds, totals, keepDays } = summary
  const plots = useMemo(() => {
    const of = (label: string, color: string, read: (counts: TurnCounts) => number | undefined): PlotSeries => ({
      label,
      color,
      values: buckets.map(bucket => read(bucket) ?? null),
    })
    const perMinute = (count: number) => count / (bucketSeconds / 60)
    return {
      axis: {
        times: buckets.map(({ at }) => Date.parse(at) / 1_000),
        pathOf: (time: number) => turnsPath({ range: 'times', from: isoOf(time), to: isoOf(time + bucketSeconds) }),
      },
      turns: [
        of(t('plots.turns'), 'teal', ({ turns }) => perMinute(turns)),
        of(t('plots.errors'), 'red', ({ errors }) => perMinute(errors)),
      ],
      latency: [
        of(t('plots.p50'), 'teal', ({ durationMs }) => durationMs?.p50),
        of(t('plots.p95'), 'orange', ({ durationMs }) => durationMs?.p95),
        of(t('plots.firstPart'), 'indigo', ({ firstPartMs }) => firstPartMs?.p95),
      ],
      tokens: [
        of(t('plots.input'), 'teal', ({ usage }) => usage.inputTokens),
        of(t('plots.cached'), 'cyan', ({ usage }) => usage.cachedInputTokens),
        of(t('plots.output'), 'indigo', ({ usage }) => usage.outputTokens),
      ],
      cost: [of(t('plots.cost'), 'teal', ({ cost }) => cost ?? 0)],
    }
  }, [buckets, bucketSeconds, t])
  if (keepDays === 0) return <EmptyState title={t('plots.off')}>{t('plots.offRemedy')}</EmptyState>
  if (totals.turns === 0) return <EmptyState title={t('plots.empty')}>{t('plots.emptyRemedy')}</EmptyState>
  return (
    <>
      <Text size="sm">
        <CountLink to={turnsPath({ range })} count={totals.turns}>
          {t('plots.totals', { count: totals.turns, turns: format.number(totals.turns) })}
        </CountLink>{' '}
        <CountLink to={turnsPath({ range, result: 'error' })} count={totals.errors} isFailure>
          {t('plots.failed', { count: totals.errors, errors: format.number(totals.errors) })}
        </CountLink>
        , {t('plots.totalTokens', { tokens: format.short(totals.usage.inputTokens + totals.usage.outputTokens) })}
        {totals.cost === undefined
          ? ''
          : ` ${t('plots.totalCost', { count: totals.cost, cost: format.credits(totals.cost) })}`}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
        <TimePlot title={t('plots.turnsTitle')} {...plots.axis} series={plots.turns} format={format.number} />
        <TimePlot title={t('plots.latencyTitle')} {...plots.axis} series={plots.latency} format={format.duration} />
        <TimePlot title={t('plots.tokensTitle')} {...plots.axis} series={plots.tokens} format={format.short} />
        {totals.cost !== undefined && (
          <TimePlot title={t('plots.costTitle')} {...plots.axis} series={plots.cost} format={format.credits} />
        )}
        {children}
      </SimpleGrid>
    </>
  )
}

const isoOf = (seconds: number): string => new Date(seconds * 1_000).toISOString()
