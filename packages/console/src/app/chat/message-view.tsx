import { ActionIcon, Anchor, Badge, Box, Button, Group, Paper, Stack, Text, Textarea, Tooltip } from '@mantine/core'
import type { TurnSpan, TurnTiming } from '@sibyl/operations/records'
import type { FileUIPart } from 'ai'
import { Paperclip, Pencil, RefreshCw, ScanSearch } from 'lucide-react'
import { memo, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../components/copy-button.tsx'
import { isDrawn } from '../components/drawn-pictures.ts'
import { Note } from '../components/note.tsx'
import { useFormat } from '../components/use-format.ts'
import type { ChatMessage } from './chat-message.ts'
import classes from './chat-view.module.css'
import { Markdown } from './markdown.tsx'
import { isToolPart, textOf, toolNameOf } from './message-parts.ts'
import { ToolCard } from './tool-card.tsx'
import type { OracleChat } from './use-oracle-chat.ts'
import type { SessionTurns } from './use-turns.ts'

interface MessageProps {
  readonly message: ChatMessage
  readonly chat: OracleChat
  readonly turns: SessionTurns | undefined
  readonly isLast: boolean
  readonly isEdited: boolean
  readonly onEdit: (messageId: string | undefined) => void
  readonly onInspect: (messageId: string) => void
}

/** A message of the user or of the oracle. */
export const MessageView = (props: MessageProps) =>
  props.message.role === 'user' ? <UserMessage {...props} /> : <Answer {...props} />

const UserMessage = ({ message, chat, isEdited, onEdit }: MessageProps) => {
  const { t } = useTranslation('chat')
  const text = textOf(message)
  const files = message.parts.filter(part => part.type === 'file')
  if (isEdited) {
    const save = async (next: string) => {
      onEdit(undefined)
      await chat.sendMessage({ messageId: message.id, text: next, files })
      if (chat.error === undefined) await chat.reload().catch(() => undefined)
    }
    return <EditForm text={text} onSave={next => void save(next)} onCancel={() => onEdit(undefined)} />
  }
  return (
    <Stack gap={2} align="flex-end" className={classes.user} component="article" aria-label={t('message.yours')}>
      <Stack gap={4} align="flex-end">
        {files.map(file => (
          <FilePart key={`${file.filename}${file.url.slice(-40)}`} file={file} />
        ))}
      </Stack>
      {text !== '' && <Box className={classes.userBubble}>{text}</Box>}
      <Group gap={2} justify="flex-end">
        <CopyButton value={text} label={t('message.copy')} />
        <Action label={t('message.edit')} isDisabled={chat.isBusy} onClick={() => onEdit(message.id)}>
          <Pencil size={14} aria-hidden />
        </Action>
      </Group>
    </Stack>
  )
}

const EditForm = ({
  text,
  onSave,
  onCancel,
}: {
  readonly text: string
  readonly onSave: (text: string) => void
  readonly onCancel: () => void
}) => {
  const { t } = useTranslation('chat')
  const [value, setValue] = useState(text)
  return (
    <Stack gap="xs" component="form">
      <Textarea
        value={value}
        onChange={event => setValue(event.currentTarget.value)}
        onKeyDown={event => event.key === 'Escape' && onCancel()}
        aria-label={t('message.edit')}
        description={t('message.editNote')}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={32_000}
        autoFocus
      />
      <Group gap="xs" justify="flex-end">
        <Button size="xs" variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button size="xs" disabled={value.trim() === ''} onClick={() => onSave(value)}>
          {t('message.sendEdited')}
        </Button>
      </Group>
    </Stack>
  )
}

const Answer = ({ message, chat, turns, isLast, onInspect }: MessageProps) => {
  const { t } = useTranslation('chat')
  const { metadata } = message
  const isStreaming = isLast && chat.isBusy
  const ofMessage = turns?.turns.filter(({ turnId }) => turnId === metadata?.turnId) ?? []
  const spans = (turns?.turns ?? []).flatMap(turn => turn.spans)
  return (
    <Stack gap="xs" component="article" aria-label={t('message.answer')}>
      {message.parts.map((part, index) => (
        <PartView key={index} part={part} message={message} chat={chat} spans={spans} />
      ))}
      {metadata?.outcome === 'stopped' && (
        <Badge size="sm" variant="dot" tt="none" color="gray">
          {t('message.stopped')}
        </Badge>
      )}
      {metadata?.outcome === 'interrupted' && (
        <Badge size="sm" variant="dot" tt="none" color="orange">
          {t('message.interrupted')}
        </Badge>
      )}
      {!isStreaming && (
        <Group gap="xs" justify="space-between">
          <Facts message={message} turn={ofMessage[0]} />
          <Group gap={2}>
            <CopyButton value={textOf(message)} label={t('message.copy')} />
            <Action
              label={t('message.regenerate')}
              isDisabled={chat.isBusy}
              onClick={() => void chat.regenerate({ messageId: message.id })}
            >
              <RefreshCw size={14} aria-hidden />
            </Action>
            <Action label={t('message.inspect')} onClick={() => onInspect(message.id)}>
              <ScanSearch size={14} aria-hidden />
            </Action>
          </Group>
        </Group>
      )}
    </Stack>
  )
}

/** The model, the time and the tokens of an answer. */
const Facts = ({ message, turn }: { readonly message: ChatMessage; readonly turn: TurnTiming | undefined }) => {
  const { t } = useTranslation('chat')
  const { duration, credits } = useFormat()
  const { model, usage, durationMs } = message.metadata ?? {}
  const facts = [
    model,
    durationMs === undefined ? undefined : duration(durationMs),
    usage && t('message.tokens', { count: usage.inputTokens + usage.outputTokens }),
    turn?.cost === undefined ? undefined : t('message.cost', { count: turn.cost, value: credits(turn.cost) }),
  ]
  return (
    <Text size="xs" c="dimmed">
      {facts.filter(fact => fact !== undefined && fact !== '').join(' · ')}
    </Text>
  )
}

type Part = ChatMessage['parts'][number]

const PartView = memo(
  ({
    part,
    message,
    chat,
    spans,
  }: {
    readonly part: Part
    readonly message: ChatMessage
    readonly chat: OracleChat
    readonly spans: readonly TurnSpan[]
  }) => {
    const { t } = useTranslation('chat')
    if (part.type === 'text') return <Markdown text={part.text} />
    if (part.type === 'reasoning') {
      return part.text === '' ? null : (
        <details>
          <summary>
            <Text span size="sm" c="dimmed">
              {t('message.reasoning')}
            </Text>
          </summary>
          <Text size="sm" c="dimmed" style={{ whiteSpace: 'pre-wrap' }}>
            {part.text}
          </Text>
        </details>
      )
    }
    if (part.type === 'file') return <FilePart file={part} />
    if (isToolPart(part)) {
      const ofCall = spans.filter(({ toolCallId }) => toolCallId === part.toolCallId)
      return <ToolCard name={toolNameOf(part)} part={part} message={message} chat={chat} spans={ofCall} />
    }
    if (part.type === 'data-capability') {
      const { name, tools } = part.data as { readonly name?: unknown; readonly tools?: unknown }
      const count = Array.isArray(tools) ? tools.length : 0
      return <Note>{t('message.loaded', { name: String(name), count })}</Note>
    }
    if (part.type === 'data-notice') {
      const { text } = part.data as { readonly text?: unknown }
      return <Note>{String(text)}</Note>
    }
    if (part.type === 'source-url') {
      return <Note>{part.title ?? part.url}</Note>
    }
    return null
  },
)

const Action = ({
  label,
  isDisabled = false,
  onClick,
  children,
}: {
  readonly label: string
  readonly isDisabled?: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}) => (
  <Tooltip label={label}>
    <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} disabled={isDisabled} onClick={onClick}>
      {children}
    </ActionIcon>
  </Tooltip>
)

/** A file of a message: a picture, or its name. */
const FilePart = ({ file }: { readonly file: FileUIPart }) => {
  const { t } = useTranslation('chat')
  const name = file.filename ?? t('file.unnamed')
  const isOwn = file.url.startsWith('data:') || file.url.startsWith('blob:') || isSameOrigin(file.url)
  if (isDrawn(file.mediaType) && isOwn) return <img className={classes.picture} src={file.url} alt={name} />
  const label = (
    <Group gap={6} wrap="nowrap" component="span">
      <Paperclip size={14} aria-hidden />
      <Text span size="sm" truncate>
        {name}
      </Text>
      <Text span size="xs" c="dimmed">
        {file.mediaType}
      </Text>
    </Group>
  )
  return (
    <Paper withBorder px="xs" py={4} maw="100%" display="inline-block">
      {isSameOrigin(file.url) ? (
        <Anchor href={file.url} target="_blank" rel="noopener noreferrer" download={name} c="inherit">
          {label}
        </Anchor>
      ) : (
        label
      )}
    </Paper>
  )
}

const isSameOrigin = (url: string): boolean =>
  URL.canParse(url, location.href) && new URL(url, location.href).origin === location.origin && !url.startsWith('data:')
