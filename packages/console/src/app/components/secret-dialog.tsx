import { Code, Group, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyButton } from './copy-button.tsx'

/** Shows the secret of a new webhook once. */
export const SecretDialog = ({
  title,
  text,
  secret,
  onClose,
}: {
  readonly title: string
  /** The use of the secret. */
  readonly text: string
  /** Undefined while the dialog is closed. */
  readonly secret: string | undefined
  readonly onClose: () => void
}) => {
  const { t } = useTranslation()
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="xs">
        <Text size="sm">{text}</Text>
        <Group gap={4} wrap="nowrap">
          <Code block flex={1}>
            {secret}
          </Code>
          <CopyButton value={secret ?? ''} />
        </Group>
      </Stack>
    </Modal>
  )
}
