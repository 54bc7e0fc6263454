import { Button, Grid, Group, NativeSelect, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type CountsRecord, countsRecord, type FlowRecord } from '@sibyl/plugin-ussd/records'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../../components/command-hint.tsx'
import { operatorCurl } from '../../components/curl.ts'
import { Page } from '../../components/page.tsx'
import { QueryStates } from '../../components/query-states.tsx'
import { ErrorState, NotAllowedState } from '../../components/states.tsx'
import { TimePlot } from '../../components/time-plot.tsx'
import { useFormat } from '../../components/use-format.ts'
import { useAccess, useApi } from '../../session/console-context.tsx'
import { useFlow } from '../parts/flow-record.ts'
import { PhoneTabs } from '../parts/phone-tabs.tsx'
import { UssdOff } from '../parts/ussd-off.tsx'
import classes from './flow-graph.module.css'
import { FlowGraph } from './flow-graph.tsx'
import { FlowTable } from './flow-table.tsx'
import { HideUnshown } from './hide-unshown.tsx'
import { heatLimits, type Metric, metrics } from './screen-counts.ts'
import { ScreenDetails } from './screen-details.tsx'
import { shownFlow } from './shown-flow.ts'

const dayMs = 86_400_000

/** The menus as a graph, with the screens where sessions stop. */
export const FlowView = () => {
  const { t } = useTranslation('phone')
  const access = useAccess()
  const flow = useFlow()
  const content = !access.mayHave('ussd') ? (
    <UssdOff />
  ) : !access.may('operator/read') ? (
    <NotAllowedState ability="operator/read" />
  ) : (
    <QueryStates query={flow}>{loaded => <LoadedFlow flow={loaded} />}</QueryStates>
  )
  return (
    <Page title={t('flow.title')} description={t('flow.description')} views={<PhoneTabs />}>
      {content}
    </Page>
  )
}

const LoadedFlow = ({ flow }: { readonly flow: FlowRecord }) => {
  const { t, i18n } = useTranslation('phone')
  const api = useApi()
  const isNarrow = useMediaQuery('(max-width: 48em)')
  const [range, setRange] = useState(() => lastDays(7))
  const [metric, setMetric] = useState<Metric>('stops')
  const [form, setForm] = useState<'graph' | 'table'>()
  const [language, setLanguage] = useState(() => languageFor(flow, i18n.language))
  const [selected, setSelected] = useState<string>()
  const [isShort, setShort] = useState(false)
  const isRange = range.from !== '' && range.to !== '' && range.from <= range.to
  const counts = useQuery({
    queryKey: ['ussd flow counts', range],
    queryFn: ({ signal }) => api.get('/api/ussd/flow/counts', { schema: countsRecord, query: { ...range }, signal }),
    enabled: isRange,
    placeholderData: earlier => earlier,
  })
  const byScreen = useMemo(
    () => new Map((counts.data?.screens ?? []).map(({ screen, ...rest }) => [screen, rest])),
    [counts.data],
  )
  const shown = form ?? (isNarrow ? 'table' : 'graph')
  const view = {
    flow: isShort ? shownFlow(flow, byScreen) : flow,
    counts: byScreen,
    metric,
    language,
    onSelect: setSelected,
  }
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-end">
        <NativeSelect
          label={t('flow.metric')}
          size="xs"
          value={metric}
          onChange={event => setMetric(event.currentTarget.value as Metric)}
          data={metrics.map(value => ({ value, label: t(`metric.${value}`) }))}
        />
        <NativeSelect
          label={t('flow.language')}
          size="xs"
          value={language}
          onChange={event => setLanguage(event.currentTarget.value)}
          data={flow.languages.map(({ code, name }) => ({ value: code, label: name }))}
        />
        <TextInput
          label={t('flow.from')}
          size="xs"
          type="date"
          value={range.from}
          onChange={event => setRange({ ...range, from: event.currentTarget.value })}
        />
        <TextInput
          label={t('flow.to')}
          size="xs"
          type="date"
          value={range.to}
          onChange={event => setRange({ ...range, to: event.currentTarget.value })}
          error={isRange ? undefined : t('flow.rangeInvalid')}
        />
        <Button.Group aria-label={t('flow.presets')}>
          {[7, 30, 90].map(days => (
            <Button key={days} size="xs" variant="default" onClick={() => setRange(lastDays(days))}>
              {t('flow.days', { count: days })}
            </Button>
          ))}
        </Button.Group>
        <SegmentedControl
          size="xs"
          value={shown}
          onChange={value => setForm(value === 'table' ? 'table' : 'graph')}
          aria-label={t('flow.form')}
          data={[
            { value: 'graph', label: t('flow.asGraph') },
            { value: 'table', label: t('flow.asTable') },
          ]}
        />
        <HideUnshown isOn={isShort} onChange={setShort} />
      </Group>
      {counts.error && <ErrorState error={counts.error} onRetry={() => void counts.refetch()} />}
      {counts.data?.screens.length === 0 && (
        <Group gap="xs" role="status">
          <Text size="sm">{t('flow.empty')}</Text>
          <Button size="compact-xs" variant="light" renderRoot={props => <Link to="/phone" {...props} />}>
            {t('flow.emptyAction')}
          </Button>
        </Group>
      )}
      <HeatLegend />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: selected === undefined ? 12 : 9 }}>
          {shown === 'graph' ? <FlowGraph {...view} selected={selected} /> : <FlowTable {...view} />}
        </Grid.Col>
        {selected !== undefined && (
          <Grid.Col span={{ base: 12, lg: 3 }}>
            <ScreenDetails flow={flow} counts={byScreen} language={language} screen={selected} onSelect={setSelected} />
          </Grid.Col>
        )}
      </Grid>
      {(counts.data?.days.length ?? 0) > 0 && counts.data && <EndsByDay counts={counts.data} />}
      <CommandHint commands={[operatorCurl('GET', api.url('api/ussd/flow/counts', range))]} />
    </Stack>
  )
}

/** Plots the ends of sessions by day. */
const EndsByDay = ({ counts }: { readonly counts: CountsRecord }) => {
  const { t } = useTranslation('phone')
  const { times, series } = useMemo(() => {
    const days = daysOf(counts)
    const byDay = new Map(counts.days.map(one => [one.day, one]))
    const seriesOf = (key: 'endedByFlow' | 'endedByUser' | 'timedOut' | 'errors', color: string) => ({
      label: t(`table.${key}`),
      values: days.map(day => byDay.get(day)?.[key] ?? 0),
      color,
    })
    return {
      times: days.map(day => Date.parse(day) / 1000),
      series: [
        seriesOf('endedByFlow', 'teal'),
        seriesOf('endedByUser', 'indigo'),
        seriesOf('timedOut', 'orange'),
        seriesOf('errors', 'red'),
      ],
    }
  }, [counts, t])
  return <TimePlot title={t('flow.byDay')} times={times} series={series} byDay />
}

const daysOf = ({ from, to }: CountsRecord): string[] => {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to) && days.length < 400; at += dayMs)
    days.push(new Date(at).toISOString().slice(0, 10))
  return days
}

const lastDays = (days: number): { readonly from: string; readonly to: string } => {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  return { from: day(Date.now() - (days - 1) * dayMs), to: day(Date.now()) }
}

const languageFor = (flow: FlowRecord, preferred: string): string =>
  flow.languages.find(({ code }) => code === preferred)?.code ?? flow.languages[0]?.code ?? 'en'

/** The levels of the heat, as shares of the times that a screen was shown. */
const HeatLegend = () => {
  const { t } = useTranslation('phone')
  const { percent } = useFormat()
  const levels = heatLimits.map((from, place) => {
    const to = heatLimits[place + 1]
    if (to === undefined) return `≥ ${percent(from)}`
    return from === 0 ? `< ${percent(to)}` : `${percent(from)}–${percent(to)}`
  })
  return (
    <Group component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('heat.label')}>
      {[t('heat.none'), ...levels].map((level, heat) => (
        <Group key={level} component="li" gap={6}>
          <span className={classes.legend} data-heat={heat} aria-hidden />
          <Text size="xs" c="dimmed">
            {level}
          </Text>
        </Group>
      ))}
    </Group>
  )
}
