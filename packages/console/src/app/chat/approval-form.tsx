import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Answer, AnswerForm, useAnswer } from '../components/answer-form.tsx'
import { CallQuestion } from '../components/call-question.tsx'
import type { QuestionData } from './message-parts.ts'
import type { OracleChat } from './use-oracle-chat.ts'

/** Asks whether a tool call may run, or for what the tool wants to know; the answer is given here. */
export const ApprovalForm = ({
  approvalId,
  tool,
  question,
  text,
  chat,
}: {
  readonly approvalId: string
  readonly tool: string
  /** Set if the tool asks in the midst of its work. */
  readonly question: QuestionData | undefined
  /** The question whether the call may run. */
  readonly text: string | undefined
  readonly chat: OracleChat
}) => {
  const { t } = useTranslation('chat')
  const state = useAnswer({ kind: question === undefined ? 'approval' : 'question', schema: question?.schema })
  const answer = (given: Answer) => {
    chat.transport.answerWith(approvalId, given)
    void chat.addToolApprovalResponse({
      id: approvalId,
      approved: given.decision !== 'deny',
      ...(given.reason === undefined ? {} : { reason: given.reason }),
    })
  }
  return (
    <Stack gap="xs" mt="xs" role="group" aria-label={t('approval.label', { tool })}>
      <CallQuestion tool={tool} question={question?.text ?? text ?? t('approval.question', { tool })} />
      <AnswerForm state={state} isBusy={chat.isBusy} onAnswer={answer} />
    </Stack>
  )
}
