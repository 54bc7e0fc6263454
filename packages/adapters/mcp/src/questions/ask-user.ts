import { type CallToolResult, type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server'
import type { Caller } from '../turns/caller.ts'
import type { OpenQuestion } from '../turns/read-turn.ts'
import { type AskedQuestions, stateOf } from './asked-questions.ts'

/** Asks the user: by the client's forms, or with a text on how to approve where the client has none. */
export const askUser = (
  questions: readonly OpenQuestion[],
  asked: Pick<AskedQuestions, 'session' | 'tool'>,
  { canElicit }: Caller,
): InputRequiredResult | CallToolResult =>
  canElicit ? formsOf(questions, asked) : howToApprove(questions, asked.session)

const formsOf = (
  questions: readonly OpenQuestion[],
  asked: Pick<AskedQuestions, 'session' | 'tool'>,
): InputRequiredResult =>
  inputRequired({
    inputRequests: Object.fromEntries(questions.map(question => [question.id, formOf(question)])),
    requestState: stateOf({ ...asked, questions: questions.map(({ id, kind }) => ({ id, kind })) }),
  })

const formOf = ({ text, kind, schema }: OpenQuestion) =>
  inputRequired.elicit({
    message: text,
    requestedSchema: kind === 'approval' ? decisionSchema : ((schema ?? emptySchema) as typeof emptySchema),
  })

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
const howToApprove = (questions: readonly OpenQuestion[], session: string): CallToolResult => {
  const lines = questions.map(
    ({ id, text, kind }) =>
      `${text}: ${kind === 'approval' ? 'approve' : 'answer'} with POST /chat/${session}/approvals/${id}.`,
  )
  const text =
    `Not run yet: the user has to decide, and this client cannot ask (it has no elicitation).\n${lines.join('\n')}\n` +
    'The body is {"decision":"once"}, {"decision":"session"} for this tool from now on, or {"decision":"deny"}. ' +
    'The call runs with the decision, and the response contains its result.'
  return {
    content: [{ type: 'text', text }],
    structuredContent: { session, approvals: questions.map(({ id, text }) => ({ id, text })) },
    isError: true,
  }
}
