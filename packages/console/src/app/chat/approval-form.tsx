import { Code, Stack, Text } from '@mantine/core'
import type { QuestionData } from '@sibyl/protocol'
import { useTranslation } from 'react-i18next'
import { type Answer, AnswerForm, useAnswer } from '../components/answer-form.tsx'
import type { OracleChat } from './use-oracle-chat.ts'

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
      <Text size="sm">{question?.text ?? t('approval.question', { tool })}</Text>
      {question === undefined && (
        <Code block style={{ whiteSpace: 'pre-wrap', maxHeight: 160, overflow: 'auto' }} tabIndex={0}>
          {JSON.stringify(input ?? {}, null, 2)}
        </Code>
      )}
      <AnswerForm state={state} isBusy={chat.isBusy} onAnswer={answer} />
    </Stack>
  )
}
