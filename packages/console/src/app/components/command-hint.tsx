import { Code, Group, Paper, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { asCalled } from '../i18n/as-called.ts'
import { CopyButton } from './copy-button.tsx'

/** The commands or calls that do the same as an action of the view. */
export const CommandHint = ({ commands, title }: { readonly commands: readonly string[]; readonly title?: string }) => {
  const { t } = useTranslation()
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
