import { Badge, Group, Loader, Paper, Stack, Text, UnstyledButton } from '@mantine/core'
import type { TurnSpan } from '@sibyl/operations/records'
import { ChevronDown, ChevronRight, Wrench } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Answer, AnswerForm, useAnswer } from '../components/answer-form.tsx'
import { CallQuestion } from '../components/call-question.tsx'
import { JsonView } from '../components/json-view.tsx'
import { useFormat } from '../components/use-format.ts'
import type { ChatMessage } from './chat-message.ts'
import { type QuestionData, questionOf, type ToolPart } from './message-parts.ts'
import type { OracleChat } from './use-oracle-chat.ts'

/** A tool call: its state, its approval, and on request its arguments and result. */
export const ToolCard = ({
  name,
  part,
  message,
  chat,
  spans,
}: {
  readonly name: string
  readonly part: ToolPart
  readonly message: ChatMessage
  readonly chat: OracleChat
  /** The timed parts of the call. */
  readonly spans: readonly TurnSpan[]
}) => {
  const { t } = useTranslation('chat')
  const { duration } = useFormat()
  const [isOpen, setOpen] = useState(false)
  const detailsId = useId()
  const run = spans.find(({ kind }) => kind === 'tool')
  const decision = spans.find(({ kind }) => kind === 'wait')?.outcome
  const isRunning = part.state === 'input-streaming' || (part.state === 'input-available' && chat.isBusy)
  const { approval } = part as { readonly approval?: { readonly approved?: boolean; readonly reason?: string } }
  return (
    <Paper withBorder px="sm" py={6}>
      <UnstyledButton
        w="100%"
        onClick={() => setOpen(!isOpen)}
        aria-expanded={isOpen}
        aria-controls={isOpen ? detailsId : undefined}
      >
        <Group gap="xs" wrap="nowrap">
          {isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
          <Wrench size={14} aria-hidden />
          <Text size="sm" fw={500} ff="monospace" truncate flex={1}>
            {name}
          </Text>
          {run && (
            <Text size="xs" c="dimmed">
              {duration(run.durationMs)}
            </Text>
          )}
          {isRunning ? <Loader size={12} aria-label={t('tool.running')} /> : <StateBadge part={part} />}
        </Group>
      </UnstyledButton>
      {part.state === 'approval-requested' && (
        <ApprovalForm
          approvalId={part.approval.id}
          tool={name}
          question={questionOf(message, part.approval.id)}
          text={part.approval.requestReason}
          chat={chat}
        />
      )}
      {isOpen && (
        <Stack gap="xs" mt="xs" id={detailsId}>
          {run?.capability !== undefined && (
            <Text size="xs" c="dimmed">
              {t('tool.capability', { name: run.capability })}
            </Text>
          )}
          {approval?.approved !== undefined && (
            <Text size="xs" c="dimmed">
              {t(
                approval.approved ? (decision === 'session' ? 'tool.approvedSession' : 'tool.approved') : 'tool.denied',
              )}
              {approval.reason === undefined ? '' : `: ${approval.reason}`}
            </Text>
          )}
          <Text size="xs" fw={600}>
            {t('tool.arguments')}
          </Text>
          <JsonView value={part.input ?? {}} maxHeight={200} />
          {part.state === 'output-available' && (
            <>
              <Text size="xs" fw={600}>
                {t('tool.result')}
              </Text>
              <JsonView value={part.output} maxHeight={280} />
            </>
          )}
          {part.state === 'output-error' && (
            <>
              <Text size="xs" fw={600}>
                {t('tool.error')}
              </Text>
              <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
                {part.errorText}
              </Text>
            </>
          )}
        </Stack>
      )}
    </Paper>
  )
}

const StateBadge = ({ part }: { readonly part: ToolPart }) => {
  const { t } = useTranslation('chat')
  const [label, color] = {
    'output-available': [t('tool.done'), 'teal'],
    'output-error': [t('tool.failed'), 'red'],
    'output-denied': [t('tool.refused'), 'orange'],
    'approval-requested': [t('tool.asks'), 'orange'],
    'approval-responded': [t('tool.answered'), 'gray'],
    'input-streaming': [t('tool.running'), 'gray'],
    'input-available': [t('tool.open'), 'gray'],
  }[part.state] as [string, string]
  return (
    <Badge size="sm" variant="dot" color={color} tt="none">
      {label}
    </Badge>
  )
}

/** Asks whether a tool call may run, or for what the tool wants to know; the answer is given here. */
const ApprovalForm = ({
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
