import { ActionIcon, Box, Group, Menu, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { SessionSummary } from '@sibyl/client'
import { sessionSummary } from '@sibyl/protocol'
import { useQueryClient } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Ellipsis, Search, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { ConfirmDialog } from '../components/confirm-button.tsx'
import { curl } from '../components/curl.ts'
import { MoreRows } from '../components/more-rows.tsx'
import { PageStates } from '../components/page-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { EmptyState } from '../components/states.tsx'
import { useLoadMore } from '../components/use-load-more.ts'
import { type Pages, usePages } from '../components/use-pages.ts'
import { useAccess, useApi } from '../session/console-context.tsx'
import classes from './chat-view.module.css'

const rowHeight = 52

const pathOf = (session: SessionSummary | undefined) => `/sessions/${encodeURIComponent(session?.id ?? '')}`

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
  const pages = usePages('/sessions', 'sessions', { q: query, limit: 100 }, { schema: sessionSummary })
  const api = useApi()
  const queries = useQueryClient()
  // The dialog keeps its text while it closes.
  const [deleted, setDeleted] = useState<SessionSummary>()
  const [isDeleting, setDeleting] = useState(false)
  const remove = async () => {
    await api.delete(pathOf(deleted))
    await queries.invalidateQueries({ queryKey: ['/sessions'] })
    if (deleted?.id === current) onOpen(undefined)
  }
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
      <PageStates
        pages={pages}
        empty={
          <EmptyState title={query === '' ? t('sessions.empty') : t('sessions.notFound')}>
            {query === '' ? t('sessions.emptyRemedy') : t('sessions.notFoundRemedy')}
          </EmptyState>
        }
      >
        <Rows
          pages={pages}
          current={current}
          onOpen={onOpen}
          onDelete={session => {
            setDeleted(session)
            setDeleting(true)
          }}
        />
      </PageStates>
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        label={t('sessions.delete')}
        title={t('sessions.deleteTitle')}
        onConfirm={remove}
      >
        <Text size="sm">{t('sessions.deleteText', { title: deleted?.title || t('sessions.untitled') })}</Text>
        <CommandHint commands={[curl('DELETE', api.url(pathOf(deleted)))]} />
      </ConfirmDialog>
    </Stack>
  )
}

const Rows = ({
  pages,
  current,
  onOpen,
  onDelete,
}: {
  readonly pages: Pages<SessionSummary>
  readonly current: string | undefined
  readonly onOpen: (id: string) => void
  readonly onDelete: (session: SessionSummary) => void
}) => {
  const { t } = useTranslation('chat')
  const mayDelete = useAccess().may('session/delete')
  const viewport = useRef<HTMLElement>(null)
  const { items } = pages
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => rowHeight,
    getItemKey: index => items[index]?.id ?? index,
    overscan: 6,
  })
  const rows = virtual.getVirtualItems()
  const last = rows.at(-1)?.index ?? 0
  useLoadMore(pages, last >= items.length - 10)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <section ref={viewport} className={classes.sessionRows} tabIndex={0} aria-label={t('sessions.list')}>
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
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          size="sm"
                          aria-label={t('sessions.actions', { title })}
                        >
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
      </section>
      {(pages.hasMore || pages.moreError !== null) && <MoreRows count={items.length} pages={pages} />}
    </>
  )
}
