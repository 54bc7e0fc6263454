import { CloseButton, Code, Group, Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../components/copy-button.tsx'
import { QrCode } from '../components/qr-code.tsx'

/** A secret that is shown once, as text and as a QR code. */
export const SecretCard = ({
  title,
  secret,
  qr,
  qrLabel,
  children,
  onClose,
}: {
  readonly title: string
  readonly secret: string
  /** Text of the QR code. */
  readonly qr: string
  readonly qrLabel: string
  readonly children?: ReactNode
  readonly onClose: () => void
}) => {
  const { t } = useTranslation('users')
  const { t: common } = useTranslation()
  return (
    <Paper withBorder p="md" role="status" bg="var(--mantine-color-default-hover)">
      <Group justify="space-between" mb="xs">
        <Text fw={600}>{title}</Text>
        <CloseButton onClick={onClose} aria-label={common('action.close')} />
      </Group>
      <Group align="flex-start" gap="md">
        <QrCode text={qr} label={qrLabel} />
        <Stack gap="xs" flex={1} miw={220}>
          <Text size="sm">{t('shownOnce')}</Text>
          <Group gap={4} wrap="nowrap">
            <Code>{secret}</Code>
            <CopyButton value={secret} />
          </Group>
          {children}
        </Stack>
      </Group>
    </Paper>
  )
}
