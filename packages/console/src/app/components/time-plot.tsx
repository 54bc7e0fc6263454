import { Button, Group, Paper, Table, Text, useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import uPlot from 'uplot'
import { CountLink } from './count-link.tsx'
import { useFormat } from './use-format.ts'
import 'uplot/dist/uPlot.min.css'

/** One line or bar series of a plot. */
export interface PlotSeries {
  readonly label: string
  /** One value for each time; null for a gap. */
  readonly values: readonly (number | null)[]
  /** Color from the theme, such as `teal` or `red`. @default by position */
  readonly color?: string
}

const palette = ['teal', 'indigo', 'orange', 'pink', 'lime', 'cyan'] as const

const daySeconds = 86_400

/** The height of a legend of one line in pixels, reserved before it is drawn. */
const legendHeight = 30

/** Returns the places of values without neighbors, which no line shows. */
const lonePoints: uPlot.Series.Points.Filter = (plot, index) => {
  const values = plot.data[index] ?? []
  const isValue = (place: number) => values[place] !== null && values[place] !== undefined
  return [...values.keys()].filter(place => isValue(place) && !isValue(place - 1) && !isValue(place + 1))
}

/** Values over time as a plot, or as a table on request. */
export const TimePlot = ({
  title,
  times,
  series,
  format = String,
  height = 160,
  byDay = false,
  pathOf,
}: {
  readonly title: string
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[]
  readonly series: readonly PlotSeries[]
  readonly format?: (value: number) => string
  readonly height?: number
  /** Whether the values are sums of days, drawn as bars. */
  readonly byDay?: boolean
  /** Returns the address of what a value counts, by its time; stable. */
  readonly pathOf?: (time: number) => string
}) => {
  const { t } = useTranslation()
  const { dateTime } = useFormat()
  const navigate = useNavigate()
  const scheme = useComputedColorScheme('light')
  const { ref, width } = useElementSize()
  const place = useRef<HTMLDivElement>(null)
  const [asTable, setAsTable] = useState(false)
  const hasLegend = series.length > 1
  useEffect(() => {
    if (asTable || width === 0 || !place.current) return undefined
    const css = getComputedStyle(document.documentElement)
    const colorOf = (name: string) => css.getPropertyValue(`--mantine-color-${name}-${scheme === 'dark' ? 4 : 7}`)
    const text = css.getPropertyValue('--mantine-color-dimmed')
    const grid = css.getPropertyValue('--mantine-color-default-border')
    const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { show: false }, font: '11px system-ui' }
    const bars = byDay ? uPlot.paths.bars?.({ size: [0.6, 40] }) : undefined
    const plot = new uPlot(
      {
        width,
        height,
        legend: { show: hasLegend, live: false },
        cursor: { y: false },
        axes: [
          byDay ? { ...axis, incrs: [1, 2, 7, 14, 28].map(days => days * daySeconds) } : axis,
          { ...axis, size: 56, values: (_, ticks) => ticks.map(format) },
        ],
        ...(pathOf && {
          hooks: {
            init: [
              plot => {
                plot.over.style.cursor = 'pointer'
                plot.over.addEventListener('click', () => {
                  const time = plot.data[0][plot.cursor.idx ?? -1]
                  if (time !== undefined) void navigate({ to: pathOf(time) })
                })
              },
            ],
          },
        }),
        ...(byDay && { scales: { x: { range: (_, min, max) => [min - daySeconds / 2, max + daySeconds / 2] } } }),
        series: [
          {},
          ...series.map(({ label, color }, position) => {
            const stroke = colorOf(color ?? palette[position % palette.length] ?? 'teal')
            const line = { label, stroke, width: 1.5, points: { show: true, size: 5, filter: lonePoints } }
            return bars === undefined ? line : { label, stroke, fill: stroke, paths: bars, points: { show: false } }
          }),
        ],
      },
      [[...times], ...series.map(({ values }) => [...values])],
      place.current,
    )
    return () => plot.destroy()
  }, [asTable, width, height, scheme, times, series, format, byDay, pathOf, navigate, hasLegend])
  const summary = series
    .map(({ label, values }) => `${label}: ${format(values.findLast(value => value !== null) ?? 0)}`)
    .join(', ')
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setAsTable(!asTable)}>
          {asTable ? t('action.showPlot') : t('action.showTable')}
        </Button>
      </Group>
      <div ref={ref}>
        {asTable ? (
          <Table.ScrollContainer minWidth={240} mah={height + 40} tabIndex={0}>
            <Table verticalSpacing={2}>
              <Table.Tbody>
                {times.map((time, position) => (
                  <Table.Tr key={time}>
                    <Table.Td>
                      <CountLink to={pathOf?.(time)} count={1}>
                        {dateTime(time * 1000)}
                      </CountLink>
                    </Table.Td>
                    {series.map(({ label, values }) => (
                      <Table.Td key={label} title={label}>
                        {values[position] === null ? '–' : format(values[position] ?? 0)}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        ) : (
          <div
            ref={place}
            role="img"
            aria-label={`${title}. ${summary}`}
            style={{ minHeight: height + (hasLegend ? legendHeight : 0) }}
          />
        )}
      </div>
    </Paper>
  )
}
