import { Alert, Anchor, Badge, Group, Paper, Stack, Text } from '@mantine/core'
import type { PendingApproval } from '@sibyl/core/records'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { type Answer, AnswerForm, type Decision, useAnswer } from '../components/answer-form.tsx'
import { CallQuestion } from '../components/call-question.tsx'
import { Note } from '../components/note.tsx'
import { questionParts } from '../components/question-parts.ts'
import { RelativeTime } from '../components/relative-time.tsx'
import { useShortcuts } from '../components/shortcuts.tsx'
import { useNotify } from '../components/use-notify.ts'
import { useAccess, useApi } from '../session/console-context.tsx'

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
  const notify = useNotify()
  const api = useApi()
  const [busyWith, setBusyWith] = useState<Decision>()
  const [failure, setFailure] = useState<unknown>()
  const { id, sessionId, sessionTitle, tool, question, channel, mayApprove, askedAt, expiresAt } = approval
  const { isOn } = useShortcuts()
  const state = useAnswer(approval, mayApprove)
  const mayAnswer = useAccess().may('chat/send')
  const answer = async (given: Answer) => {
    if (!mayAnswer || busyWith !== undefined) return
    const { decision } = given
    setBusyWith(decision)
    setFailure(undefined)
    try {
      const path = `/chat/${encodeURIComponent(sessionId)}/approvals/${encodeURIComponent(id)}`
      const response = await api.send('POST', path, { body: given })
      // The turn continues without a reader.
      await response.body?.cancel()
      notify.done(t(decision === 'deny' ? 'approvals.denied' : 'approvals.approved', { tool }))
      onMove(1)
      onAnswered()
    } catch (error) {
      setFailure(error)
      setBusyWith(undefined)
      if (error instanceof Problem && (error.status === 404 || error.status === 409)) onAnswered()
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOn || event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const key = event.key.toLowerCase()
    const decision = decisionOfKey[key]
    if (key === 'j' || key === 'k') onMove(key === 'j' ? 1 : -1)
    else if (decision) {
      const given = state.answerOf(decision)
      if (given) void answer(given)
    } else return
    event.preventDefault()
  }
  return (
    <Paper
      withBorder
      p="md"
      component="article"
      tabIndex={0}
      onKeyDown={onKeyDown}
      aria-label={questionParts(question).sentence}
    >
      <Stack gap="xs">
        <CallQuestion tool={tool} question={question} input={approval.input} />
        <Group gap={6}>
          <Badge variant="light" color="gray" tt="none">
            {channel}
          </Badge>
          <Text size="xs" c="dimmed">
            {t('approvals.asked')} <RelativeTime value={askedAt} />
          </Text>
        </Group>
        <Note>
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
        </Note>
        {mayAnswer && !mayApprove && <Alert color="yellow">{t('approvals.mayNot')}</Alert>}
        {mayAnswer && (
          <AnswerForm
            state={state}
            mayApprove={mayApprove}
            busyWith={busyWith}
            failure={failure}
            onAnswer={given => void answer(given)}
          />
        )}
      </Stack>
    </Paper>
  )
}
