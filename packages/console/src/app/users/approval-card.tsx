import { Alert, Anchor, Badge, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { JsonValue, PendingApproval } from '@sibyl/protocol'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { Field } from '../chat/approval-form.tsx'
import { fieldsOf } from '../chat/form-fields.ts'
import { Failure } from '../components/failure.tsx'
import { JsonView } from '../components/json-view.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { useAccess, useApi } from '../session/console-context.tsx'

type Decision = 'once' | 'session' | 'deny'

const decisionOfKey: Readonly<Record<string, Decision>> = { a: 'once', s: 'session', d: 'deny' }

/** A call that waits for the user, with its arguments and the answers. */
export const ApprovalCard = ({
  approval,
  onMove,
  onAnswered,
}: {
  readonly approval: PendingApproval
  /** Called to focus the next card, or the previous one. */
  readonly onMove: (by: 1 | -1) => void
  readonly onAnswered: () => void
}) => {
  const { t } = useTranslation('users')
  const { t: common } = useTranslation()
  const api = useApi()
  const [reason, setReason] = useState('')
  const [busyWith, setBusyWith] = useState<Decision>()
  const [failure, setFailure] = useState<unknown>()
  const { id, sessionId, sessionTitle, tool, question, kind, channel, mayApprove, askedAt, expiresAt } = approval
  const fields = kind === 'question' ? fieldsOf(approval.schema) : []
  const [values, setValues] = useState<Readonly<Record<string, JsonValue>>>(() =>
    Object.fromEntries(fields.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]]))),
  )
  const mayAnswer = useAccess().may('chat/send')
  const isComplete = fields.every(({ name, isRequired }) => !isRequired || (values[name] ?? '') !== '')
  const answer = async (decision: Decision) => {
    if (!mayAnswer || busyWith !== undefined || (decision !== 'deny' && !(mayApprove && isComplete))) return
    if (decision === 'session' && kind === 'question') return
    setBusyWith(decision)
    setFailure(undefined)
    try {
      const given = reason.trim()
      const path = `/chat/${encodeURIComponent(sessionId)}/approvals/${encodeURIComponent(id)}`
      const response = await api.send('POST', path, {
        body: {
          decision,
          ...(decision !== 'deny' && fields.length > 0 ? { data: values } : {}),
          ...(given === '' ? {} : { reason: given }),
        },
      })
      // The turn continues without a reader.
      await response.body?.cancel()
      notifications.show({
        message: t(decision === 'deny' ? 'approvals.denied' : 'approvals.approved', { tool }),
        closeButtonProps: { 'aria-label': common('action.close') },
      })
      onMove(1)
      onAnswered()
    } catch (error) {
      setFailure(error)
      setBusyWith(undefined)
      if (error instanceof Problem && (error.status === 404 || error.status === 409)) onAnswered()
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const key = event.key.toLowerCase()
    const decision = decisionOfKey[key]
    if (key === 'j' || key === 'k') onMove(key === 'j' ? 1 : -1)
    else if (decision) void answer(decision)
    else return
    event.preventDefault()
  }
  return (
    <Paper withBorder p="md" component="article" tabIndex={0} onKeyDown={onKeyDown} aria-label={question}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start" gap="xs">
          <Text fw={600}>{question}</Text>
          <Group gap={6}>
            <Badge variant="light" color="gray" tt="none">
              {channel}
            </Badge>
            <Text size="xs" c="dimmed">
              {t('approvals.asked')} <RelativeTime value={askedAt} />
            </Text>
          </Group>
        </Group>
        <Text size="sm" c="dimmed">
          {t('approvals.tool', { tool })} ·{' '}
          <Anchor
            underline="always"
            size="sm"
            renderRoot={props => <Link to="/chat/{-$sessionId}" params={{ sessionId }} {...props} />}
          >
            {sessionTitle === '' ? t('approvals.untitled') : sessionTitle}
          </Anchor>
          {expiresAt !== undefined && (
            <>
              {' '}
              · {t('approvals.expires')} <RelativeTime value={expiresAt} />
            </>
          )}
        </Text>
        <JsonView value={approval.input} maxHeight={180} />
        {mayAnswer && !mayApprove && <Alert color="yellow">{t('approvals.mayNot')}</Alert>}
        {mayAnswer && (
          <>
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
              label={t('approvals.reason')}
              value={reason}
              onChange={event => setReason(event.currentTarget.value)}
              maxLength={2_000}
            />
            <Failure error={failure} />
            <Group gap="xs">
              {mayApprove && (
                <Button
                  size="xs"
                  loading={busyWith === 'once'}
                  disabled={!isComplete}
                  onClick={() => void answer('once')}
                >
                  {t(kind === 'approval' ? 'approvals.once' : fields.length > 0 ? 'approvals.send' : 'approvals.yes')}
                </Button>
              )}
              {mayApprove && kind === 'approval' && (
                <Button
                  size="xs"
                  variant="default"
                  loading={busyWith === 'session'}
                  onClick={() => void answer('session')}
                >
                  {t('approvals.session')}
                </Button>
              )}
              <Button
                size="xs"
                variant="default"
                color="red"
                loading={busyWith === 'deny'}
                onClick={() => void answer('deny')}
              >
                {t('approvals.deny')}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Paper>
  )
}
