import { Anchor, Badge, Text } from '@mantine/core'
import { type Trace, trace } from '@sibyl/operations/records'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from './data-table.tsx'
import { PageStates } from './page-states.tsx'
import { PersonLink } from './person-link.tsx'
import { RelativeTime } from './relative-time.tsx'
import { EmptyState } from './states.tsx'
import { isFailedSpan, outcomeColors } from './turn-times.tsx'
import { useFormat } from './use-format.ts'
import { type Pages, usePages } from './use-pages.ts'

/** Filters of the list of turns, as in the URL. */
export const turnFilters = [
  'range',
  'from',
  'to',
  'turn',
  'person',
  'channel',
  'model',
  'tool',
  'result',
  'code',
  'minCost',
] as const

export type TurnSearch = { readonly [Name in (typeof turnFilters)[number]]?: string }

/** Returns the address of the turns that match filters. */
export const turnsPath = (search: TurnSearch): string => `/operations/turns?${new URLSearchParams({ ...search })}`

/** Returns the address of a turn that started in the milliseconds from a time; the oracle finds it by its time. */
export const turnPath = (turn: string, at: string, milliseconds: number): string =>
  turnsPath({ turn, from: at, to: new Date(Date.parse(at) + milliseconds).toISOString() })

/** Reads the turns of all users in pages, for the operator. */
export const useTraces = (query: Readonly<Record<string, string | number | undefined>>): Pages<Trace> =>
  usePages(
    '/operator/traces',
    'traces',
    { limit: 50, ...query },
    { schema: trace, refetchInterval: 60_000, itemKey: ({ turnId }) => turnId },
  )

/** Turns without their texts; each opens its calls, tokens and log lines. */
export const TurnTable = ({
  turns,
  hasPerson = false,
  maxHeight,
}: {
  readonly turns: Pages<Trace>
  readonly hasPerson?: boolean
  readonly maxHeight?: string
}) => {
  const { t } = useTranslation('operations')
  const { number, credits, duration } = useFormat()
  const person: Column<Trace> = {
    key: 'person',
    header: t('turns.person'),
    width: '6.5rem',
    cell: ({ did }) => <PersonLink did={did} />,
  }
  const columns: Column<Trace>[] = [
    {
      key: 'started',
      header: t('turns.started'),
      width: '7rem',
      cell: ({ startedAt, turnId }) => (
        <>
          <Text size="sm" truncate>
            <RelativeTime value={startedAt} />
          </Text>
          <Anchor size="xs" renderRoot={props => <Link to={turnPath(turnId, startedAt, 1)} {...props} />}>
            {t('turns.details')}
          </Anchor>
        </>
      ),
    },
    ...(hasPerson ? [person] : []),
    {
      key: 'result',
      header: t('turns.result'),
      width: '7rem',
      cell: ({ outcome, code, channel }, isNarrow) => (
        <>
          <Badge size="sm" variant="dot" color={outcomeColors[outcome]} tt="none">
            {t(`turns.results.${outcome}`)}
          </Badge>
          <Text size="xs" c="dimmed" truncate title={code}>
            {code ?? (isNarrow ? channel : '')}
          </Text>
        </>
      ),
    },
    { key: 'tools', header: t('turns.tools'), wideOnly: true, cell: turn => <Tools turn={turn} /> },
    { key: 'channel', header: t('turns.channel'), width: '6rem', wideOnly: true, cell: ({ channel }) => channel },
    {
      key: 'tokens',
      header: t('turns.tokens'),
      width: '5rem',
      wideOnly: true,
      cell: ({ usage }) => number(usage.inputTokens + usage.outputTokens),
    },
    {
      key: 'duration',
      header: t('turns.duration'),
      width: '6rem',
      wideOnly: true,
      cell: ({ durationMs }) => duration(durationMs),
    },
    {
      key: 'cost',
      header: t('turns.cost'),
      width: '5rem',
      wideOnly: true,
      cell: ({ cost }) => (cost === undefined ? '–' : credits(cost)),
    },
    {
      key: 'model',
      header: t('turns.model'),
      width: '8rem',
      wideOnly: true,
      cell: ({ model }) => (
        <Text size="sm" truncate title={model}>
          {model}
        </Text>
      ),
    },
  ]
  const isOff = turns.first?.keepDays === 0
  return (
    <PageStates
      pages={turns}
      empty={
        <EmptyState title={t(isOff ? 'plots.off' : 'turns.none')}>
          {t(isOff ? 'plots.offRemedy' : 'turns.noneRemedy')}
        </EmptyState>
      }
    >
      <DataTable
        label={t('turns.list')}
        rows={turns.items}
        rowKey={({ turnId }) => turnId}
        rowHeight={56}
        pages={turns}
        columns={columns}
        {...(maxHeight !== undefined && { maxHeight })}
      />
    </PageStates>
  )
}

/** The tools that a turn called, in red those of which a call failed. */
const Tools = ({ turn: { spans } }: { readonly turn: Trace }) => {
  const calls = spans.filter(({ kind }) => kind === 'tool')
  const names = [...new Set(calls.map(({ name }) => name))]
  return (
    <Text size="sm" truncate title={names.join(', ')}>
      {names.map((name, index) => (
        <Text
          key={name}
          span
          inherit
          {...(calls.some(span => span.name === name && isFailedSpan(span)) && { c: 'red' })}
        >
          {index > 0 && ', '}
          {name}
        </Text>
      ))}
    </Text>
  )
}
