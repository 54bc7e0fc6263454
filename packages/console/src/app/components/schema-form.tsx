import { Button, Group, List, Modal, Stack } from '@mantine/core'
import { useDisclosure, useSessionStorage } from '@mantine/hooks'
import type { JsonObject } from '@sibyl/protocol'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { Failure } from './failure.tsx'
import { fieldsOf, initialOf, isComplete, type Schema, withoutEmpty } from './form-fields.ts'
import { SchemaFields } from './schema-fields.tsx'

interface SchemaFormProps {
  /** JSON Schema of an object. */
  readonly schema: Schema
  /** Name under which the tab keeps what was typed until it is sent, also over a sign-in that ended. */
  readonly draft: string
  readonly initial?: JsonObject
  readonly submitLabel: string
  readonly color?: string
  /** False while what `children` ask for is missing. @default true */
  readonly isReady?: boolean
  /** Shown above the fields, such as a choice on which they depend. */
  readonly children?: ReactNode
  /** Called when a value changes. */
  readonly onEdit?: () => void
  /** Sends the values without empty ones; a returned `false` keeps the form. */
  readonly onSubmit: (values: JsonObject) => Promise<unknown>
}

/** A form for the JSON Schema of an object, with all errors that the oracle found. */
export const SchemaForm = ({
  schema,
  draft,
  initial,
  submitLabel,
  color,
  isReady = true,
  children,
  onEdit,
  onSubmit,
}: SchemaFormProps) => {
  const fields = useMemo(() => fieldsOf(schema), [schema])
  const [values, setValues, forget] = useSessionStorage<JsonObject>({
    key: `sibyl-form ${draft}`,
    defaultValue: initial ?? initialOf(fields),
    getInitialValueInEffect: false,
  })
  const send = useMutation({
    mutationFn: () => onSubmit(withoutEmpty(values)),
    onSuccess: kept => {
      if (kept !== false) forget()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate()
  }
  return (
    <Stack component="form" gap="xs" maw="40rem" onSubmit={submit}>
      {children}
      <SchemaFields
        fields={fields}
        values={values}
        onChange={next => {
          setValues(next)
          onEdit?.()
        }}
      />
      <Failure error={send.error} />
      {send.error instanceof Problem && send.error.issues.length > 0 && (
        <List size="sm">
          {send.error.issues.slice(0, 50).map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              {path}: {message}
            </List.Item>
          ))}
        </List>
      )}
      <Group justify="flex-end">
        <Button
          type="submit"
          size="xs"
          {...(color === undefined ? {} : { color })}
          loading={send.isPending}
          disabled={!isReady || !isComplete(fields, values)}
        >
          {submitLabel}
        </Button>
      </Group>
    </Stack>
  )
}

/** A button that opens a form, and closes it when it was sent. */
export const FormButton = ({
  label,
  title = label,
  variant = 'default',
  onOpen,
  onSubmit,
  ...form
}: Omit<SchemaFormProps, 'submitLabel'> & {
  readonly label: string
  /** @default the label */
  readonly title?: string
  readonly submitLabel?: string
  readonly variant?: 'default' | 'filled'
  /** Called before the form opens. */
  readonly onOpen?: () => void
}) => {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button
        size="xs"
        variant={variant}
        onClick={() => {
          onOpen?.()
          open()
        }}
      >
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ 'aria-label': t('action.close') }}>
        <SchemaForm
          key={form.draft}
          submitLabel={label}
          {...form}
          onSubmit={async values => {
            const kept = await onSubmit(values)
            if (kept !== false) close()
            return kept
          }}
        />
      </Modal>
    </>
  )
}
