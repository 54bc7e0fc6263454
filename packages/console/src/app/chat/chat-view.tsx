import { ActionIcon, Box, Button, CloseButton, Drawer, Group, Stack, Text, Tooltip } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { Columns2, MessageSquarePlus, PanelLeft, PanelRight } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../components/lazy-part.ts'
import { LoadingState } from '../components/states.tsx'
import { useAccess, useConsole } from '../session/console-context.tsx'
import classes from './chat-view.module.css'
import { Conversation } from './conversation.tsx'
import { newSessionId } from './new-session-id.ts'
import { SessionList } from './session-list.tsx'

const Inspector = lazyPart(() => import('./inspector.tsx'), 'Inspector')

/** The playground: sessions, a conversation, and what the model saw of it. */
export const ChatView = () => {
  const { t } = useTranslation('chat')
  const { oracleName } = useConsole()
  const navigate = useNavigate()
  const mayCompare = useAccess().may('operator/write')
  const { sessionId: opened } = useParams({ strict: false }) as { readonly sessionId?: string }
  // A new session gets its id here, so that it keeps its place when its address gets the id.
  const [fresh, setFresh] = useState(newSessionId)
  const sessionId = opened ?? fresh
  const { ask } = useLocation({ select: ({ state }) => state }) as { readonly ask?: string }
  const [inspected, setInspected] = useState<string>()
  const [hasList, list] = useDisclosure()
  const [hasInspector, inspector] = useDisclosure()
  const isWide = useMediaQuery('(min-width: 62em)', false, { getInitialValueInEffect: false })
  useEffect(() => {
    document.title = `${t('title')} · ${oracleName}`
  }, [t, oracleName])
  useEffect(() => {
    if (opened === fresh) setFresh(newSessionId())
  }, [opened, fresh])
  const open = (id: string | undefined) => {
    list.close()
    setInspected(undefined)
    void navigate({ to: id === undefined ? '/chat' : `/chat/${encodeURIComponent(id)}` })
  }
  const inspect = (messageId: string) => {
    setInspected(messageId)
    inspector.open()
  }
  const sessions = <SessionList current={opened} onOpen={open} />
  const details = (
    <Suspense fallback={<LoadingState />}>
      <Inspector key={sessionId} sessionId={sessionId} messageId={inspected} />
    </Suspense>
  )
  return (
    <Box className={classes.view} data-inspector={(hasInspector && isWide) || undefined}>
      <Box component="aside" className={classes.sessions} visibleFrom="md" aria-label={t('sessions.label')}>
        {sessions}
      </Box>
      <section className={classes.conversation} aria-labelledby="chat-title">
        <Group justify="space-between" wrap="nowrap" pb="xs">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Tooltip label={t('sessions.show')}>
              <ActionIcon variant="default" hiddenFrom="md" onClick={list.open} aria-label={t('sessions.show')}>
                <PanelLeft size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
            <Text component="h1" id="chat-title" fw={600} size="md" style={{ whiteSpace: 'nowrap' }}>
              {t('title')}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <HeaderButton
              label={t('sessions.new')}
              icon={<MessageSquarePlus size={14} aria-hidden />}
              isNarrow={hasInspector}
              onClick={() => open(undefined)}
            />
            {mayCompare && (
              <HeaderButton
                label={t('compare.title')}
                icon={<Columns2 size={14} aria-hidden />}
                isNarrow={hasInspector}
                onClick={() => void navigate({ to: '/compare' })}
              />
            )}
            <HeaderButton
              label={t('inspector.title')}
              icon={<PanelRight size={14} aria-hidden />}
              isOpen={hasInspector}
              onClick={inspector.toggle}
            />
          </Group>
        </Group>
        <Conversation
          key={sessionId}
          sessionId={sessionId}
          isNew={opened === undefined}
          first={ask}
          onStarted={() => opened === undefined && void navigate({ to: `/chat/${sessionId}`, replace: true })}
          onInspect={inspect}
        />
      </section>
      {isWide
        ? hasInspector && (
            <Box component="aside" className={classes.inspector} aria-label={t('inspector.title')}>
              {details}
            </Box>
          )
        : null}
      <SideSheet isOpen={hasList && !isWide} onClose={list.close} title={t('sessions.label')} side="left">
        {sessions}
      </SideSheet>
      <SideSheet isOpen={hasInspector && !isWide} onClose={inspector.close} title={t('inspector.title')} side="right">
        {details}
      </SideSheet>
    </Box>
  )
}

/** A button of the heading; its icon alone on a narrow screen, or where the conversation is narrow. */
const HeaderButton = ({
  label,
  icon,
  isOpen,
  isNarrow = false,
  onClick,
}: {
  readonly label: string
  readonly icon: ReactNode
  readonly isOpen?: boolean
  readonly isNarrow?: boolean
  readonly onClick: () => void
}) => {
  const variant = isOpen ? 'light' : 'default'
  const state = isOpen === undefined ? {} : { 'aria-expanded': isOpen }
  return (
    <>
      {!isNarrow && (
        <Button size="xs" variant={variant} leftSection={icon} onClick={onClick} visibleFrom="xs" {...state}>
          {label}
        </Button>
      )}
      <Tooltip label={label}>
        <ActionIcon
          variant={variant}
          size={30}
          onClick={onClick}
          aria-label={label}
          {...(isNarrow ? {} : { hiddenFrom: 'xs' })}
          {...state}
        >
          {icon}
        </ActionIcon>
      </Tooltip>
    </>
  )
}

/** A panel that covers the side of a small screen. */
const SideSheet = ({
  isOpen,
  onClose,
  title,
  side,
  children,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly side: 'left' | 'right'
  readonly children: ReactNode
}) => {
  const { t } = useTranslation('chat')
  if (!isOpen) return null
  return (
    // The page behind it does not scroll, and locking it would add a style that the policy forbids.
    <Drawer.Root opened onClose={onClose} position={side} size={side === 'left' ? 320 : '100%'} lockScroll={false}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={title}>
        <Drawer.Body h="100%">
          <Stack gap="xs" h="100%" mih={0}>
            <Group justify="space-between">
              <Text component="h2" fw={600} size="md">
                {title}
              </Text>
              <CloseButton aria-label={t('close')} onClick={onClose} />
            </Group>
            {children}
          </Stack>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
