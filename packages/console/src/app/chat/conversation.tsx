import { Button, Group, Stack, Text } from '@mantine/core'
import { type SessionRecord, TurnFailedError } from '@sibyl/client'
import { sessionRecord } from '@sibyl/protocol'
import { useQuery } from '@tanstack/react-query'
import { ArrowDown } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { EmptyState, ErrorState, LoadingState } from '../components/states.tsx'
import { useAccess, useApi } from '../session/console-context.tsx'
import { ChatFailure } from './chat-failure.tsx'
import classes from './chat-view.module.css'
import { Composer } from './composer.tsx'
import { newSession, storeDraft } from './draft.ts'
import { MessageView } from './message-view.tsx'
import { type MessageWindow, useMessageWindow } from './use-message-window.ts'
import { useOracleChat } from './use-oracle-chat.ts'
import { useTurns } from './use-turns.ts'

interface ConversationProps {
  readonly sessionId: string
  /** Whether the oracle does not have the session yet. */
  readonly isNew: boolean
  /** Message that begins a new session at once. */
  readonly first: string | undefined
  readonly onStarted: () => void
  readonly onInspect: (messageId: string) => void
}

/** A conversation: its messages, and where the next one is written. */
export const Conversation = (props: ConversationProps) => {
  const { sessionId } = props
  const api = useApi()
  // A session that began here is not read again when its address gets its id.
  const [wasNew] = useState(props.isNew)
  const session = useQuery({
    queryKey: ['chat session', sessionId],
    queryFn: ({ signal }) => api.get(`/sessions/${encodeURIComponent(sessionId)}`, { schema: sessionRecord, signal }),
    enabled: !wasNew,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (wasNew) return <OpenConversation {...props} stored={undefined} />
  if (session.data) return <OpenConversation {...props} stored={session.data} />
  if (session.error instanceof Problem && session.error.code === 'session_not_found') return <NotFound />
  return session.error ? <ErrorState error={session.error} onRetry={session.refetch} /> : <LoadingState />
}

const NotFound = () => {
  const { t } = useTranslation('chat')
  return <EmptyState title={t('conversation.notFound')}>{t('conversation.notFoundRemedy')}</EmptyState>
}

const OpenConversation = ({
  sessionId,
  stored,
  isNew,
  first,
  onStarted,
  onInspect,
}: ConversationProps & { readonly stored: SessionRecord | undefined }) => {
  const { t } = useTranslation('chat')
  const chat = useOracleChat(sessionId, stored)
  const turns = useTurns(sessionId, chat.messages.length > 0 && !chat.isBusy)
  const [edited, setEdited] = useState<string>()
  const { messages, isBusy, reload } = chat
  const viewport = useRef<HTMLElement>(null)
  const drawn = useMessageWindow(messages, viewport)
  const { isAtEnd, toEnd } = useStickToEnd(viewport, messages, isBusy, drawn)
  useFollowOtherTabs(chat.status === 'ready' && messages.length > 0, reload)
  // A turn that failed has its message.
  const isTaken = chat.status === 'streaming' || chat.error instanceof TurnFailedError
  useEffect(() => {
    if (isTaken) storeDraft(sessionId, '')
  }, [isTaken, sessionId])
  const send: Parameters<typeof Composer>[0]['onSend'] = async (text, files) => {
    if (isNew) storeDraft(newSession, '')
    storeDraft(sessionId, text)
    onStarted()
    toEnd()
    await chat.sendMessage({ text, files: [...files] })
  }
  const isBegun = useRef(false)
  useEffect(() => {
    if (!isNew || first === undefined || isBegun.current) return
    isBegun.current = true
    void send(first, [])
  })
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <section ref={viewport} className={classes.messages} tabIndex={0} aria-label={t('conversation.label')}>
        <div className={classes.inner} role="log" aria-busy={isBusy}>
          {messages.length === 0 && <Suggestions onChoose={text => void send(text, [])} />}
          {drawn.before > 0 && (
            <More label={t('conversation.earlier', { count: drawn.before })} onClick={drawn.showEarlier} />
          )}
          {drawn.visible.map((message, index) => (
            <MessageView
              key={message.id}
              message={message}
              chat={chat}
              turns={turns}
              isLast={drawn.before + index === messages.length - 1}
              isEdited={edited === message.id}
              onEdit={setEdited}
              onInspect={onInspect}
            />
          ))}
          {drawn.behind > 0 && (
            <More label={t('conversation.later', { count: drawn.behind })} onClick={drawn.showLater} isAboveOther />
          )}
          {(chat.isAway || chat.status === 'submitted') && (
            <Text size="sm" c="dimmed" role="status">
              {t(chat.isAway ? 'conversation.away' : 'conversation.waiting')}
            </Text>
          )}
          {chat.error && <ChatFailure error={chat.error} chat={chat} />}
        </div>
      </section>
      {!isAtEnd && (
        <Group justify="center" mt={-36} mb={4} style={{ zIndex: 1 }}>
          <Button size="compact-xs" variant="default" leftSection={<ArrowDown size={12} aria-hidden />} onClick={toEnd}>
            {t('conversation.toEnd')}
          </Button>
        </Group>
      )}
      <Composer draftOf={isNew ? newSession : sessionId} isBusy={isBusy} onSend={send} onStop={chat.stopTurn} />
    </>
  )
}

const More = ({
  label,
  onClick,
  isAboveOther = false,
}: {
  readonly label: string
  readonly onClick: () => void
  /** Leaves room for the button that leads to the latest message. */
  readonly isAboveOther?: boolean
}) => (
  <Group justify="center" pb={isAboveOther ? 36 : 0}>
    <Button size="xs" variant="default" onClick={onClick}>
      {label}
    </Button>
  </Group>
)

/** Keeps the end of the messages in view, unless the user scrolled away from it. */
const useStickToEnd = (
  viewport: RefObject<HTMLElement | null>,
  messages: unknown,
  isBusy: boolean,
  { behind, showEnd }: Pick<MessageWindow<unknown>, 'behind' | 'showEnd'>,
) => {
  const [isAtEnd, setAtEnd] = useState(true)
  const isFollowed = isAtEnd && behind === 0
  useEffect(() => {
    const element = viewport.current
    if (!element) return undefined
    const note = () => setAtEnd(element.scrollHeight - element.scrollTop - element.clientHeight < 48)
    element.addEventListener('scroll', note, { passive: true })
    return () => element.removeEventListener('scroll', note)
  }, [viewport])
  useLayoutEffect(() => {
    const element = viewport.current
    if (element && isFollowed) element.scrollTop = element.scrollHeight
  }, [viewport, messages, isBusy, isFollowed])
  const toEnd = () => {
    setAtEnd(true)
    showEnd()
    viewport.current?.scrollTo({ top: viewport.current.scrollHeight })
  }
  return { isAtEnd: isFollowed, toEnd }
}

/** Reads the session again when the user comes back to the tab: another one may have sent messages. */
const useFollowOtherTabs = (isIdle: boolean, reload: () => Promise<void>) => {
  useEffect(() => {
    if (!isIdle) return undefined
    const onFocus = () => void reload().catch(() => undefined)
    addEventListener('focus', onFocus)
    return () => removeEventListener('focus', onFocus)
  }, [isIdle, reload])
}

/** First messages to choose from: examples of the oracle's capabilities. */
const Suggestions = ({ onChoose }: { readonly onChoose: (text: string) => void }) => {
  const { t } = useTranslation('chat')
  const access = useAccess()
  const on = access.capabilities.filter(({ state }) => state !== 'excluded' && state !== 'failed')
  const titles = on.map(({ title }) => title).slice(0, 6)
  const examples = [
    t('conversation.example1'),
    ...(access.has('weather') ? [t('conversation.example2')] : []),
    ...(access.has('memory') ? [t('conversation.example3')] : []),
  ]
  return (
    <Stack align="center" gap="sm" py="xl" ta="center">
      <Text fw={600}>{t('conversation.empty')}</Text>
      <Text size="sm" c="dimmed" maw={480}>
        {titles.length === 0 ? t('conversation.emptyRemedy') : t('conversation.can', { list: titles.join(', ') })}
      </Text>
      <Group gap="xs" justify="center">
        {examples.map(example => (
          <Button key={example} size="xs" variant="default" onClick={() => onChoose(example)}>
            {example}
          </Button>
        ))}
      </Group>
    </Stack>
  )
}
