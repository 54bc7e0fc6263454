import { Button, Stack } from '@mantine/core'
import { turnTiming } from '@sibyl/operations/records'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { curl } from '../components/curl.ts'
import { Note } from '../components/note.tsx'
import { EmptyState, ErrorState, LoadingState } from '../components/states.tsx'
import { TurnTimes } from '../components/turn-times.tsx'
import { usePages } from '../components/use-pages.ts'
import { useApi } from '../session/console-context.tsx'

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
        <TurnTimes key={turn.turnId} turn={turn} />
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
