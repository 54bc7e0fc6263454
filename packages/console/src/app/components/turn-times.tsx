import { Badge, Group, Paper, Text } from '@mantine/core'
import type { TurnSpan, TurnTiming } from '@sibyl/operations/records'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from './relative-time.tsx'
import classes from './turn-times.module.css'
import { useFormat } from './use-format.ts'

/** Colors of outcomes. */
export const outcomeColors = {
  done: 'teal',
  stopped: 'gray',
  failed: 'red',
  interrupted: 'orange',
  'awaiting-approval': 'orange',
}

/** A turn with the time of its parts. */
export const TurnTimes = ({ turn }: { readonly turn: TurnTiming }) => {
  const { t } = useTranslation('chat')
  const { duration, number, credits } = useFormat()
  const { usage, spans, durationMs, omittedSpans } = turn
  return (
    <Paper withBorder p="xs">
      <Group justify="space-between" gap="xs" mb={6}>
        <Group gap="xs">
          <Badge size="sm" variant="dot" tt="none" color={outcomeColors[turn.outcome]}>
            {t(`timing.outcome.${turn.outcome}`)}
          </Badge>
          {turn.code !== undefined && (
            <Text size="xs" ff="monospace">
              {turn.code}
            </Text>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          <RelativeTime value={turn.startedAt} />
        </Text>
      </Group>
      <Text size="xs" c="dimmed" mb={6}>
        {[
          turn.model,
          duration(durationMs),
          t('timing.input', { count: usage.inputTokens, cached: number(usage.cachedInputTokens) }),
          t('timing.output', { count: usage.outputTokens }),
          ...(turn.cost === undefined ? [] : [t('message.cost', { count: turn.cost, value: credits(turn.cost) })]),
        ].join(' · ')}
      </Text>
      <Waterfall spans={spans} durationMs={durationMs} />
      {omittedSpans > 0 && (
        <Text size="xs" c="dimmed">
          {t('timing.omitted', { count: omittedSpans })}
        </Text>
      )}
    </Paper>
  )
}

const wellEnded = new Set(['done', 'asks', 'once', 'session'])

/** Returns whether a part of a turn failed, such as a tool call; a wait for a person does not fail. */
export const isFailedSpan = ({ kind, outcome }: TurnSpan): boolean => kind !== 'wait' && !wellEnded.has(outcome)

/** The parts of a turn as bars over its time. A wait before the turn is drawn at its start, with its time as text. */
const Waterfall = ({ spans, durationMs }: { readonly spans: readonly TurnSpan[]; readonly durationMs: number }) => {
  const { t } = useTranslation('chat')
  const { duration: time } = useFormat()
  const whole = Math.max(1, durationMs)
  return (
    <div className={classes.bars}>
      {spans.map((span, index) => {
        const isBefore = span.startMs < 0
        const left = Math.max(0, Math.min(99, (span.startMs / whole) * 100))
        const width = isBefore ? 1 : Math.max(0, Math.min(100 - left, (span.durationMs / whole) * 100))
        const label = `${t(`timing.kind.${span.kind}`)}${span.name === undefined ? '' : ` ${span.name}`}`
        const isFailed = isFailedSpan(span)
        const first = span.firstPartMs === undefined ? undefined : t('timing.first', { time: time(span.firstPartMs) })
        const hint = [label, span.outcome, span.code, time(span.durationMs), first]
          .filter(one => one !== undefined)
          .join(', ')
        return (
          <Fragment key={index}>
            <Text size="xs" truncate title={hint} pl={span.agentCallId === undefined ? 0 : 'sm'}>
              {label}
            </Text>
            <div className={classes.track} title={hint}>
              <div
                className={classes.bar}
                data-kind={span.kind}
                data-failed={isFailed || undefined}
                style={{ left: `${left}%`, width: `${width}%` }}
              >
                {span.firstPartMs !== undefined && span.durationMs > 0 && (
                  <div
                    className={classes.first}
                    style={{ left: `${Math.min(100, (span.firstPartMs / span.durationMs) * 100)}%` }}
                  />
                )}
              </div>
            </div>
            <Text size="xs" ta="right" c={isFailed ? 'red' : 'dimmed'}>
              {time(span.durationMs)}
            </Text>
          </Fragment>
        )
      })}
    </div>
  )
}
