import { CloseButton, Drawer, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** A panel that covers the side of a small screen. */
export const SideSheet = ({
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
