import { Anchor, Group, Paper, Text } from '@mantine/core'
import type { FileUIPart } from 'ai'
import { Paperclip } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from './chat-view.module.css'

/** Pictures that are drawn; SVG is not one of them, since it can have scripts. */
const drawn = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** A file of a message: a picture, or its name. */
export const FilePart = ({ file }: { readonly file: FileUIPart }) => {
  const { t } = useTranslation('chat')
  const name = file.filename ?? t('file.unnamed')
  const isOwn = file.url.startsWith('data:') || file.url.startsWith('blob:') || isSameOrigin(file.url)
  if (drawn.has(file.mediaType) && isOwn) return <img className={classes.picture} src={file.url} alt={name} />
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
