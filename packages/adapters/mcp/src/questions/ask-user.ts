import { type CallToolResult, type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server'
import type { PendingCall } from '@sibyl/plugin/host'
import type { Caller } from '../turns/caller.ts'
import { type AskedQuestions, maxQuestion, stateOf } from './asked-questions.ts'

/** Asks the user: by the client's forms, or with a text on how to approve where the client has none or a form is too small. */
export const askUser = (
  questions: readonly PendingCall[],
  asked: Pick<AskedQuestions, 'session' | 'tool'>,
  { canElicit }: Caller,
): InputRequiredResult | CallToolResult =>
  canElicit && questions.every(({ text }) => text.length <= maxQuestion)
    ? formsOf(questions, asked)
    : howToApprove(questions, asked.session)

const formsOf = (
  questions: readonly PendingCall[],
  asked: Pick<AskedQuestions, 'session' | 'tool'>,
): InputRequiredResult =>
  inputRequired({
    inputRequests: Object.fromEntries(questions.map(question => [question.approvalId, formOf(question)])),
    requestState: stateOf({
      ...asked,
      questions: questions.map(question => ({ id: question.approvalId, kind: kindOf(question) })),
    }),
  })

const formOf = (question: PendingCall) =>
  inputRequired.elicit({
    message: question.text,
    requestedSchema:
      kindOf(question) === 'approval' ? decisionSchema : ((question.schema ?? emptySchema) as typeof emptySchema),
  })

/** No turn of this door has tools of the client. */
const kindOf = ({ kind }: PendingCall) => (kind === 'question' ? 'question' : 'approval')

const emptySchema = { type: 'object' as const, properties: {} }

/** `enum` alone: revision 2025-06-18 has no titles of members. */
const decisionSchema = {
  type: 'object' as const,
  properties: {
    decision: {
      type: 'string' as const,
      title: 'May this run?',
      description: 'once: this call. session: this tool from now on. deny: not at all.',
      enum: ['once', 'session', 'deny'],
    },
  },
  required: ['decision'],
}

/** The text also stands for `session`, since the client's model may repeat the call. */
const howToApprove = (questions: readonly PendingCall[], session: string): CallToolResult => {
  const lines = questions.map(
    ({ approvalId, text, kind }) =>
      `${text}\n\nTo ${kind === 'question' ? 'answer' : 'approve'} it: POST /chat/${session}/approvals/${approvalId}`,
  )
  const text =
    `Not run yet: the user has to decide, and this client cannot ask: it has no elicitation, or the question is too long for its form.\n\n${lines.join('\n\n')}\n\n` +
    'The body is {"decision":"once"}, {"decision":"session"} for this tool from now on, or {"decision":"deny"}. ' +
    'The call runs with the decision, and the response contains its result.'
  return {
    content: [{ type: 'text', text }],
    structuredContent: { session, approvals: questions.map(({ approvalId: id, text }) => ({ id, text })) },
    isError: true,
  }
}
