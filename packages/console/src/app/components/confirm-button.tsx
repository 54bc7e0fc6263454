import { Button, type ButtonProps, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../api/problem.ts'

/** A button for an action that cannot be undone: asks first, and shows why it failed. */
export const ConfirmButton = ({
  label,
  title,
  children,
  typed,
  onConfirm,
  ...button
}: {
  readonly label: ReactNode
  /** Question of the dialog. */
  readonly title: string
  readonly children?: ReactNode
  /** Text that the user types to confirm. */
  readonly typed?: string
  readonly onConfirm: () => Promise<unknown>
} & ButtonProps) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const close = () => {
    setOpen(false)
    setText('')
    setFailure(undefined)
  }
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
      close()
    } catch (error) {
      setFailure(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button variant="default" size="xs" {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ 'aria-label': t('action.close') }}>
        <Stack gap="sm">
          {children}
          {typed !== undefined && (
            <TextInput label={typed} value={text} onChange={event => setText(event.currentTarget.value)} />
          )}
          {failure !== undefined && (
            <Text size="sm" c="red" role="alert">
              {failure}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('action.cancel')}
            </Button>
            <Button color="red" loading={isBusy} disabled={typed !== undefined && text !== typed} onClick={confirm}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
