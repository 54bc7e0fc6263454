import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import type { TurnSpan } from '@sibyl/operations/records'
import { type TurnTiming, turnTiming } from '@sibyl/operations/records'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { curl } from '../components/curl.ts'
import { Note } from '../components/note.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { EmptyState, ErrorState, LoadingState } from '../components/states.tsx'
import { useFormat } from '../components/use-format.ts'
import { usePages } from '../components/use-pages.ts'
import { useApi } from '../session/console-context.tsx'
import classes from './chat-view.module.css'

/** The time of each turn of a session, by its parts. */
export const TimingPanel = ({ sessionId }: { readonly sessionId: string }) => {
  const { t } = useTranslation('chat')
  const api = useApi()
  const path = `/sessions/${encodeURIComponent(sessionId)}/turns`
  const pages = usePages(
    path,
    'turns',
    { limit: 20 },
    { schema: turnTiming, refetchInterval: 10_000, itemKey: ({ turnId }) => turnId },
  )
  const keepDays = pages.first?.keepDays
  if (pages.error) return <NoTurns error={pages.error} onRetry={pages.refetch} />
  if (pages.isLoading) return <LoadingState />
  if (pages.items.length === 0) {
    return keepDays === 0 ? (
      <EmptyState title={t('timing.off')}>{t('timing.offRemedy')}</EmptyState>
    ) : (
      <EmptyState title={t('timing.empty')}>{t('timing.emptyRemedy')}</EmptyState>
    )
  }
  return (
    <Stack gap="sm">
      {typeof keepDays === 'number' && <Note>{t('timing.note', { count: keepDays })}</Note>}
      {pages.items.map(turn => (
        <Turn key={turn.turnId} turn={turn} />
      ))}
      {pages.hasMore && (
        <Button size="xs" variant="default" loading={pages.isLoadingMore} onClick={pages.loadMore}>
          {t('timing.more')}
        </Button>
      )}
      <CommandHint title={t('same')} commands={[curl('GET', api.url(path))]} />
    </Stack>
  )
}

const NoTurns = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => {
  const { t } = useTranslation('chat')
  const { code } = error as { readonly code?: unknown }
  return code === 'session_not_found' ? (
    <EmptyState title={t('timing.empty')}>{t('timing.emptyRemedy')}</EmptyState>
  ) : (
    <ErrorState error={error} onRetry={onRetry} />
  )
}

const outcomeColors = {
  done: 'teal',
  stopped: 'gray',
  failed: 'red',
  interrupted: 'orange',
  'awaiting-approval': 'orange',
}

const Turn = ({ turn }: { readonly turn: TurnTiming }) => {
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
        const isFailed = span.kind !== 'wait' && !wellEnded.has(span.outcome)
        const first = span.firstPartMs === undefined ? undefined : t('timing.first', { time: time(span.firstPartMs) })
        const hint = [label, span.outcome, time(span.durationMs), first].filter(one => one !== undefined).join(', ')
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
