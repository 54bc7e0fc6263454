import { ActionIcon, CloseButton, FileButton, Group, Paper, Text, Textarea, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FileUIPart } from 'ai'
import { Paperclip, SendHorizontal, Square } from 'lucide-react'
import { type ClipboardEvent, type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withMembers } from '../api/with-members.ts'
import { useFormat } from '../components/use-format.ts'
import { useAccess, useApi } from '../session/console-context.tsx'
import classes from './chat-view.module.css'
import { readDraft, storeDraft } from './draft.ts'

/** The most files of a message. */
const maxFiles = 10

/** Where a message is written, with its files. */
export const Composer = ({
  draftOf,
  isBusy,
  onSend,
  onStop,
}: {
  /** Session whose draft is kept. */
  readonly draftOf: string
  readonly isBusy: boolean
  readonly onSend: (text: string, files: readonly FileUIPart[]) => Promise<void>
  readonly onStop: () => Promise<void>
}) => {
  const { t } = useTranslation('chat')
  const [text, setText] = useState(() => readDraft(draftOf))
  const [files, setFiles] = useState<readonly File[]>([])
  const [isOver, setOver] = useState(false)
  const [isStopping, setStopping] = useState(false)
  const canSend = !isBusy && (text.trim() !== '' || files.length > 0)
  const add = (more: readonly File[]) => setFiles([...files, ...more].slice(0, maxFiles))
  const send = async () => {
    if (!canSend) return
    const parts = await Promise.all(files.map(filePart))
    setText('')
    setFiles([])
    await onSend(text.trim(), parts)
  }
  const stop = async () => {
    setStopping(true)
    await onStop().finally(() => setStopping(false))
  }
  const paste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files]
    if (pasted.length === 0) return
    event.preventDefault()
    add(pasted)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    add([...event.dataTransfer.files])
  }
  return (
    <div className={classes.composer}>
      <Paper
        withBorder
        p="xs"
        className={classes.composerDrop}
        data-over={isOver || undefined}
        onDragOver={(event: DragEvent) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {files.length > 0 && (
          <Group gap={6} mb={6} component="ul" p={0} style={{ listStyle: 'none' }} aria-label={t('file.list')}>
            {files.map((file, index) => (
              <Paper withBorder component="li" px={6} py={2} maw="100%" key={`${file.name} ${index}`}>
                <Group gap={4} wrap="nowrap">
                  <Paperclip size={12} aria-hidden />
                  <Text size="xs" truncate maw={220}>
                    {file.name}
                  </Text>
                  <CloseButton
                    size="xs"
                    aria-label={t('file.remove', { name: file.name })}
                    onClick={() => setFiles(files.filter((_, place) => place !== index))}
                  />
                </Group>
              </Paper>
            ))}
          </Group>
        )}
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <FileButton multiple onChange={chosen => add(chosen)} inputProps={{ 'aria-label': t('file.add') }}>
            {({ onClick }) => (
              <Tooltip label={t('file.add')}>
                <ActionIcon variant="subtle" color="gray" size="lg" onClick={onClick} aria-label={t('file.add')}>
                  <Paperclip size={16} aria-hidden />
                </ActionIcon>
              </Tooltip>
            )}
          </FileButton>
          <Textarea
            flex={1}
            variant="unstyled"
            value={text}
            onChange={event => {
              setText(event.currentTarget.value)
              storeDraft(draftOf, event.currentTarget.value)
            }}
            onKeyDown={event => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
              event.preventDefault()
              void send()
            }}
            onPaste={paste}
            placeholder={t('composer.placeholder')}
            aria-label={t('composer.placeholder')}
            autosize
            minRows={1}
            maxRows={10}
            maxLength={32_000}
          />
          {isBusy ? (
            <Tooltip label={t('composer.stop')}>
              <ActionIcon
                size="lg"
                color="red"
                variant="light"
                loading={isStopping}
                onClick={() => void stop()}
                aria-label={t('composer.stop')}
              >
                <Square size={14} aria-hidden />
              </ActionIcon>
            </Tooltip>
          ) : (
            <Tooltip label={t('composer.send')}>
              <ActionIcon size="lg" disabled={!canSend} onClick={() => void send()} aria-label={t('composer.send')}>
                <SendHorizontal size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      </Paper>
      <Group justify="center" gap="sm" mt={4}>
        <Text size="xs" c="dimmed" visibleFrom="sm">
          {t('composer.hint')}
        </Text>
        <Balance isBusy={isBusy} />
      </Group>
    </div>
  )
}

const filePart = async (file: File): Promise<FileUIPart> => ({
  type: 'file',
  mediaType: file.type === '' ? 'application/octet-stream' : file.type,
  filename: file.name,
  url: await dataUrl(file),
})

const dataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('The file could not be read.'))
    reader.readAsDataURL(file)
  })

const account = withMembers<{ readonly mode: string; readonly balance: string }>({ mode: 'string', balance: 'string' })

/** The credit of the user, read again after each answer. */
const Balance = ({ isBusy }: { readonly isBusy: boolean }) => {
  const { t } = useTranslation('chat')
  const { credits } = useFormat()
  const api = useApi()
  const { may, has } = useAccess()
  const { data } = useQuery({
    queryKey: ['/credits', isBusy],
    queryFn: ({ signal }) => api.get('/credits', { schema: account, signal }),
    enabled: !isBusy && has('credits') && may('credits/read'),
    placeholderData: before => before,
  })
  if (data?.mode !== 'prepaid') return null
  const balance = Number(data.balance)
  return (
    <Text size="xs" c="dimmed" role="status">
      {t('composer.balance', { count: balance, value: credits(balance) })}
    </Text>
  )
}
