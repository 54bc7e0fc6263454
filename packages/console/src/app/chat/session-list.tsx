import { ActionIcon, Box, Button, Group, Menu, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { SessionSummary } from '@sibyl/protocol'
import { useQueryClient } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Ellipsis, Search, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { EmptyState, ErrorState, LoadingState } from '../components/states.tsx'
import { usePages } from '../components/use-pages.ts'
import { useAccess, useApi } from '../session/console-context.tsx'
import classes from './chat-view.module.css'

const rowHeight = 52

/** The sessions of the user, the latest first, with a search. */
export const SessionList = ({
  current,
  onOpen,
}: {
  readonly current: string | undefined
  readonly onOpen: (id: string | undefined) => void
}) => {
  const { t } = useTranslation('chat')
  const [text, setText] = useState('')
  const [query] = useDebouncedValue(text.trim(), 250)
  const pages = usePages<SessionSummary>('/sessions', 'sessions', { q: query, limit: 100 })
  const [deleted, setDeleted] = useState<SessionSummary>()
  return (
    <Stack gap="xs" h="100%" mih={0}>
      <TextInput
        size="xs"
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        placeholder={t('sessions.search')}
        aria-label={t('sessions.search')}
        leftSection={<Search size={14} aria-hidden />}
        maxLength={200}
      />
      {pages.error ? (
        <ErrorState error={pages.error} onRetry={pages.refetch} />
      ) : pages.isLoading ? (
        <LoadingState />
      ) : pages.items.length === 0 ? (
        <EmptyState title={query === '' ? t('sessions.empty') : t('sessions.notFound')}>
          {query === '' ? t('sessions.emptyRemedy') : t('sessions.notFoundRemedy')}
        </EmptyState>
      ) : (
        <Rows pages={pages} current={current} onOpen={onOpen} onDelete={setDeleted} />
      )}
      {deleted && (
        <DeleteDialog
          session={deleted}
          onClose={() => setDeleted(undefined)}
          onDeleted={() => deleted.id === current && onOpen(undefined)}
        />
      )}
    </Stack>
  )
}

const Rows = ({
  pages,
  current,
  onOpen,
  onDelete,
}: {
  readonly pages: ReturnType<typeof usePages<SessionSummary>>
  readonly current: string | undefined
  readonly onOpen: (id: string) => void
  readonly onDelete: (session: SessionSummary) => void
}) => {
  const { t } = useTranslation('chat')
  const mayDelete = useAccess().may('session/delete')
  const viewport = useRef<HTMLDivElement>(null)
  const { items, hasMore, isLoadingMore, loadMore } = pages
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => rowHeight,
    getItemKey: index => items[index]?.id ?? index,
    overscan: 6,
  })
  const rows = virtual.getVirtualItems()
  const last = rows.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && !isLoadingMore && last >= items.length - 10) loadMore()
  }, [hasMore, isLoadingMore, last, items.length, loadMore])
  return (
    <Box ref={viewport} flex={1} mih={160} style={{ overflow: 'auto' }}>
      <Box component="ul" m={0} p={0} pos="relative" h={virtual.getTotalSize()} style={{ listStyle: 'none' }}>
        {rows.map(({ key, index, start }) => {
          const session = items[index]
          if (!session) return null
          const title = session.title === '' ? t('sessions.untitled') : session.title
          return (
            <Box
              component="li"
              key={key}
              pos="absolute"
              left={0}
              right={0}
              h={rowHeight}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Group gap={2} wrap="nowrap">
                <UnstyledButton
                  className={classes.session}
                  flex={1}
                  miw={0}
                  onClick={() => onOpen(session.id)}
                  aria-current={session.id === current ? 'page' : undefined}
                >
                  <Text size="sm" truncate title={title}>
                    {title}
                  </Text>
                  <Text size="xs" c="dimmed" truncate>
                    {session.runningTurn === undefined ? (
                      <RelativeTime value={session.updatedAt} />
                    ) : (
                      t('sessions.running')
                    )}
                  </Text>
                </UnstyledButton>
                {mayDelete && (
                  <Menu position="bottom-end">
                    <Menu.Target>
                      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t('sessions.actions', { title })}>
                        <Ellipsis size={14} aria-hidden />
                      </ActionIcon>
                    </Menu.Target>
                    <Menu.Dropdown>
                      <Menu.Item
                        color="red"
                        leftSection={<Trash2 size={14} aria-hidden />}
                        onClick={() => onDelete(session)}
                      >
                        {t('sessions.delete')}
                      </Menu.Item>
                    </Menu.Dropdown>
                  </Menu>
                )}
              </Group>
            </Box>
          )
        })}
      </Box>
    </Box>
  )
}

const DeleteDialog = ({
  session,
  onClose,
  onDeleted,
}: {
  readonly session: SessionSummary
  readonly onClose: () => void
  readonly onDeleted: () => void
}) => {
  const { t } = useTranslation('chat')
  const api = useApi()
  const queries = useQueryClient()
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const path = `/sessions/${encodeURIComponent(session.id)}`
  const remove = async () => {
    setBusy(true)
    try {
      await api.delete(path)
      await queries.invalidateQueries({ queryKey: ['/sessions'] })
      onDeleted()
      onClose()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal.Root opened onClose={onClose} lockScroll={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={t('sessions.deleteTitle')}>
        <Modal.Body>
          <Stack gap="sm">
            <Text component="h2" fw={600} size="md">
              {t('sessions.deleteTitle')}
            </Text>
            <Text size="sm">{t('sessions.deleteText', { title: session.title })}</Text>
            {failure !== undefined && <ErrorState error={failure} />}
            <CommandHint commands={[`curl -X DELETE ${api.url(path)} -H "authorization: Bearer $TOKEN"`]} />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={onClose}>
                {t('cancel')}
              </Button>
              <Button color="red" loading={isBusy} onClick={remove}>
                {t('sessions.delete')}
              </Button>
            </Group>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
