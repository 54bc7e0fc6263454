import { Button, type ButtonProps, Group, Modal, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Failure } from './failure.tsx'

interface ConfirmProps {
  readonly label: ReactNode
  /** Question of the dialog. */
  readonly title: string
  readonly children?: ReactNode
  /** @default 'red' */
  readonly color?: string
  /** Text that the user types to confirm. */
  readonly typed?: string
  readonly onConfirm: () => Promise<unknown>
}

/** A button for an action that cannot be undone: asks first, and shows why it failed. */
export const ConfirmButton = ({
  label,
  title,
  children,
  typed,
  onConfirm,
  ...button
}: ConfirmProps & Omit<ButtonProps, keyof ConfirmProps>) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" size="xs" {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        label={label}
        title={title}
        {...(typed === undefined ? {} : { typed })}
        onConfirm={onConfirm}
      >
        {children}
      </ConfirmDialog>
    </>
  )
}

/** The dialog of an action that cannot be undone. */
export const ConfirmDialog = ({
  isOpen,
  onClose,
  label,
  title,
  children,
  color = 'red',
  typed,
  onConfirm,
}: ConfirmProps & { readonly isOpen: boolean; readonly onClose: () => void }) => {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const close = () => {
    onClose()
    setText('')
    setFailure(undefined)
  }
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
      close()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ 'aria-label': t('action.close') }}>
      <Stack gap="sm">
        {children}
        {typed !== undefined && (
          <TextInput label={typed} value={text} onChange={event => setText(event.currentTarget.value)} />
        )}
        <Failure error={failure} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button color={color} loading={isBusy} disabled={typed !== undefined && text !== typed} onClick={confirm}>
            {label}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
