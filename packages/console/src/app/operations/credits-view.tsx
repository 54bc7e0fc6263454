import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { type SpendingRow, spendingRecord } from '@sibyl/plugin-credits/records'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Coins } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { operatorCurl } from '../components/curl.ts'
import { type Column, DataTable } from '../components/data-table.tsx'
import { Failure } from '../components/failure.tsx'
import { Note } from '../components/note.tsx'
import { PersonLink } from '../components/person-link.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { saveFile } from '../components/save-file.ts'
import { EmptyState } from '../components/states.tsx'
import { useFormat } from '../components/use-format.ts'
import { useAccess, useApi } from '../session/console-context.tsx'
import { OperationsPage } from './operations-page.tsx'

const groups = ['person', 'day', 'model', 'tool'] as const
type SumBy = (typeof groups)[number]

/** Periods as UTC days before today: the first, and the day after the last. */
const periods = {
  today: { from: 0 },
  yesterday: { from: 1, to: 0 },
  week: { from: 6 },
  month: { from: 29 },
} as const satisfies Readonly<Record<string, { readonly from: number; readonly to?: number }>>

type Period = keyof typeof periods

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Returns the days of a period for a query. */
const daysOf = (period: Period) => {
  const { from, to }: { readonly from: number; readonly to?: number } = periods[period]
  return { from: dayBefore(from), ...(to !== undefined && { to: dayBefore(to) }) }
}

/** Sums of spending by person, day, model and tool, and the ledger as a file. */
export const CreditsView = () => {
  const { t } = useTranslation('operations')
  const api = useApi()
  const [by, setBy] = useState<SumBy>('person')
  const [period, setPeriod] = useState<Period>('week')
  const query = { by, ...daysOf(period) }
  const spending = useQuery({
    queryKey: ['/credits/spending', query],
    queryFn: ({ signal }) => api.get('/credits/spending', { schema: spendingRecord, query, signal }),
    enabled: useAccess().may('operator/read'),
  })
  const ledger = useMutation({
    mutationFn: async () => {
      const response = await api.send('GET', '/credits/ledger', { query: daysOf(period) })
      saveFile(await response.blob(), 'ledger.csv')
    },
  })
  return (
    <OperationsPage
      view="credits"
      actions={
        <Button size="xs" variant="default" loading={ledger.isPending} onClick={() => ledger.mutate()}>
          {t('credits.ledger')}
        </Button>
      }
    >
      <Stack gap="md">
        <Group gap="sm">
          <SegmentedControl
            size="xs"
            aria-label={t('credits.group')}
            value={by}
            onChange={value => setBy(value as SumBy)}
            data={groups.map(value => ({ value, label: t(`credits.by.${value}`) }))}
          />
          <SegmentedControl
            size="xs"
            aria-label={t('credits.period')}
            value={period}
            onChange={value => setPeriod(value as Period)}
            data={(Object.keys(periods) as Period[]).map(value => ({ value, label: t(`credits.periods.${value}`) }))}
          />
        </Group>
        <Failure error={ledger.error} />
        <QueryStates query={spending}>
          {({ rows, isPartial }) =>
            rows.length === 0 ? (
              <EmptyState icon={<Coins size={28} aria-hidden />} title={t('credits.empty')} />
            ) : (
              <>
                {by === 'tool' && <Note>{t('credits.toolNote')}</Note>}
                {isPartial && <Note>{t('credits.partial')}</Note>}
                <Spending key={by} by={by} rows={rows} />
              </>
            )
          }
        </QueryStates>
        <CommandHint
          title={t('overview.sameByCall')}
          commands={[operatorCurl('GET', api.url('credits/spending', query))]}
        />
      </Stack>
    </OperationsPage>
  )
}

const Spending = ({ by, rows }: { readonly by: SumBy; readonly rows: readonly SpendingRow[] }) => {
  const { t } = useTranslation('operations')
  const { number, credits } = useFormat()
  const amount = (key: string, read: (row: SpendingRow) => number, format = number): Column<SpendingRow> => ({
    key,
    header: t(key === 'turns' && by === 'tool' ? 'usage.calls' : `credits.columns.${key as 'credits'}`),
    width: '7rem',
    wideOnly: key !== 'credits',
    sort: read,
    cell: row => (
      <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {format(read(row))}
      </Text>
    ),
  })
  return (
    <DataTable
      label={t('credits.title')}
      rows={rows}
      rowKey={({ name }) => name}
      columns={[
        {
          key: 'name',
          header: t(`credits.by.${by}`),
          sort: ({ name }) => name,
          cell: ({ name }) =>
            by === 'person' ? (
              <PersonLink did={name} />
            ) : (
              <Text size="sm" truncate title={name}>
                {name}
              </Text>
            ),
        },
        amount('credits', row => Number(row.credits), credits),
        amount('turns', row => row.turns),
        ...(by === 'tool' ? [] : [amount('tokens', row => row.inputTokens + row.outputTokens)]),
      ]}
    />
  )
}
