import { Button, Code, Group, NumberInput, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { JsonValue, QuestionData } from '@sibyl/protocol'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FormField, fieldsOf } from './form-fields.ts'
import type { OracleChat } from './use-oracle-chat.ts'

type Values = Readonly<Record<string, JsonValue>>

/** Asks whether a tool call may run, or for what the tool wants to know; the answer is given here. */
export const ApprovalForm = ({
  approvalId,
  tool,
  question,
  input,
  chat,
}: {
  readonly approvalId: string
  readonly tool: string
  /** Set if the tool asks in the midst of its work. */
  readonly question: QuestionData | undefined
  readonly input: unknown
  readonly chat: OracleChat
}) => {
  const { t } = useTranslation('chat')
  const fields = fieldsOf(question?.schema)
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(fields.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]]))),
  )
  const [reason, setReason] = useState('')
  const missing = fields.some(({ name, isRequired }) => isRequired && (values[name] ?? '') === '')
  const answer = (decision: 'once' | 'session' | 'deny') => {
    const given = reason.trim()
    chat.transport.answerWith(approvalId, {
      decision,
      ...(decision !== 'deny' && fields.length > 0 ? { data: values } : {}),
      ...(given === '' ? {} : { reason: given }),
    })
    void chat.addToolApprovalResponse({
      id: approvalId,
      approved: decision !== 'deny',
      ...(given === '' ? {} : { reason: given }),
    })
  }
  const isBusy = chat.isBusy
  return (
    <Stack gap="xs" mt="xs" role="group" aria-label={t('approval.label', { tool })}>
      <Text size="sm">{question?.text ?? t('approval.question', { tool })}</Text>
      {question === undefined && (
        <Code block style={{ whiteSpace: 'pre-wrap', maxHeight: 160, overflow: 'auto' }} tabIndex={0}>
          {JSON.stringify(input ?? {}, null, 2)}
        </Code>
      )}
      {fields.map(field => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name]}
          onChange={value => setValues({ ...values, [field.name]: value })}
        />
      ))}
      <TextInput
        size="xs"
        value={reason}
        onChange={event => setReason(event.currentTarget.value)}
        label={t('approval.reason')}
        maxLength={2_000}
      />
      <Group gap="xs">
        <Button size="xs" disabled={isBusy || missing} onClick={() => answer('once')}>
          {t(question === undefined ? 'approval.once' : 'approval.send')}
        </Button>
        {question === undefined && (
          <Button size="xs" variant="default" disabled={isBusy} onClick={() => answer('session')}>
            {t('approval.session')}
          </Button>
        )}
        <Button size="xs" variant="default" color="red" disabled={isBusy} onClick={() => answer('deny')}>
          {t(question === undefined ? 'approval.deny' : 'approval.decline')}
        </Button>
      </Group>
    </Stack>
  )
}

/** An input for one field of the answer to a question. */
export const Field = ({
  field,
  value,
  onChange,
}: {
  readonly field: FormField
  readonly value: JsonValue | undefined
  readonly onChange: (value: JsonValue) => void
}) => {
  const { name, label, description, kind, options, isRequired } = field
  const shared = {
    size: 'xs' as const,
    label,
    required: isRequired,
    ...(description === undefined ? {} : { description }),
  }
  if (kind === 'boolean') {
    return <Switch {...shared} checked={value === true} onChange={event => onChange(event.currentTarget.checked)} />
  }
  if (kind === 'number') {
    return (
      <NumberInput
        {...shared}
        value={typeof value === 'number' ? value : ''}
        onChange={next => onChange(next)}
        hideControls
      />
    )
  }
  if (kind === 'choice') {
    return (
      <Select
        {...shared}
        data={[...options]}
        value={typeof value === 'string' ? value : null}
        onChange={next => onChange(next ?? '')}
      />
    )
  }
  return (
    <TextInput
      {...shared}
      name={name}
      type={kind}
      value={typeof value === 'string' ? value : ''}
      onChange={event => onChange(event.currentTarget.value)}
      maxLength={8_000}
    />
  )
}
