import { Code, Group, Paper, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { asCalled } from '../i18n/as-called.ts'
import { CopyButton } from './copy-button.tsx'
import { useForDevelopers } from './use-stored.ts'

/** The commands or calls that do the same as an action of the view, for developers. */
export const CommandHint = ({
  commands,
  title,
  isRemedy = false,
}: {
  readonly commands: readonly string[]
  readonly title?: string
  /** Shown to all: the console has no action for it. */
  readonly isRemedy?: boolean
}) => {
  const { t } = useTranslation()
  const [isForDevelopers] = useForDevelopers()
  if (!isRemedy && !isForDevelopers) return null
  return (
    <Stack gap={4} ta="start">
      <Text size="xs" c="dimmed">
        {title ?? t('action.sameByCommand')}
      </Text>
      {commands.map(asCalled).map(command => (
        <Paper key={command} withBorder px="xs" py={4}>
          <Group gap="xs" wrap="nowrap" justify="space-between">
            <Code bg="transparent" p={0} style={{ whiteSpace: 'pre-wrap' }}>
              {command}
            </Code>
            <CopyButton value={command} />
          </Group>
        </Paper>
      ))}
    </Stack>
  )
}
