import { Anchor, Stack, Text } from '@mantine/core'
import type { FlowRecord } from '@sibyl/plugin-ussd/records'
import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useFormat } from '../../components/use-format.ts'
import { screenTitle, wordsOf } from '../parts/screen-title.ts'
import { type Counts, countOf, type Metric, noCounts, shareOf } from './screen-counts.ts'

interface Row extends Counts {
  readonly id: string
  readonly title: string
  readonly kind: string
  readonly isGone: boolean
}

/** The screens with their counts, those where most sessions stop first. */
export const FlowTable = ({
  flow,
  counts,
  metric,
  language,
  onSelect,
}: {
  readonly flow: FlowRecord
  readonly counts: ReadonlyMap<string, Counts>
  readonly metric: Metric
  readonly language: string
  readonly onSelect: (screen: string) => void
}) => {
  const { t } = useTranslation('phone')
  const { number, percent } = useFormat()
  const known = new Set(flow.nodes.map(({ id }) => id))
  const rows: Row[] = [
    ...flow.nodes.map(node => ({
      ...(counts.get(node.id) ?? noCounts),
      id: node.id,
      title: screenTitle(node, language),
      kind: t(`kind.${node.kind}`),
      isGone: false,
    })),
    ...[...counts].flatMap(([id, counted]) =>
      known.has(id) ? [] : [{ ...counted, id, title: wordsOf(id), kind: '', isGone: true }],
    ),
  ].sort((one, other) => countOf(other, metric) - countOf(one, metric) || other.entered - one.entered)
  const count = (key: keyof Counts, header: string, wideOnly: boolean): Column<Row> => ({
    key,
    header,
    width: '4.75rem',
    wideOnly,
    cell: row => number(row[key]),
  })
  const columns: Column<Row>[] = [
    {
      key: 'screen',
      header: t('table.screen'),
      cell: row => (
        <Stack gap={0} align="flex-start">
          <Anchor
            component="button"
            type="button"
            size="sm"
            maw="100%"
            ta="start"
            truncate
            title={row.title}
            onClick={() => onSelect(row.id)}
          >
            {row.title}
          </Anchor>
          <Text span size="xs" c="dimmed" truncate maw="100%">
            {row.isGone ? t('table.gone') : row.kind}
          </Text>
        </Stack>
      ),
    },
    count('entered', t('table.entered'), false),
    count('continued', t('table.continued'), true),
    count('endedByFlow', t('table.endedByFlow'), true),
    count('endedByUser', t('table.endedByUser'), true),
    count('timedOut', t('table.timedOut'), true),
    count('errors', t('table.errors'), true),
    { key: 'share', header: t(`metric.${metric}`), width: '5rem', cell: row => percent(shareOf(row, metric)) },
  ]
  return (
    <DataTable
      label={t('table.label')}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      rowHeight={52}
      maxHeight="32rem"
    />
  )
}
