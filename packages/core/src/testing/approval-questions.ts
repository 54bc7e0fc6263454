import type { ScriptedStep } from '@sibyl/models/testing'
import type { ReadStream, TestApp } from '@sibyl/testing'

/** Returns a model step that calls `pay` of the till. */
export const pay = (amount: number, id = `pay-${amount}`): ScriptedStep => ({ tool: 'pay', input: { amount }, id })

/** Returns the approval questions in a stream. */
export const questionsOf = ({ events }: Pick<ReadStream, 'events'>) =>
  events.flatMap(event =>
    event.type === 'tool-approval-request'
      ? [{ approvalId: String(event.approvalId), toolCallId: event.toolCallId, reason: event.reason }]
      : [],
  )

/** Answers a question of session `s1`. */
export const decide = (
  oracle: TestApp,
  approvalId: string | undefined,
  body: object,
  actor = oracle.actor,
  session = 's1',
) => actor.request(`/chat/${session}/approvals/${approvalId}`, { json: body })

/** Returns status and code of a problem. */
export const codeOf = async (answer: Response): Promise<unknown[]> => [answer.status, (await answer.json()).code]

/** Returns the part of a tool call in session `s1`. */
export const partOf = async (oracle: TestApp, toolCallId: string, actor = oracle.actor) => {
  const { messages } = await (await actor.request('/sessions/s1')).json()
  const parts = messages.flatMap(({ parts }: { parts: { toolCallId?: string }[] }) => parts)
  return parts.find((part: { toolCallId?: string }) => part.toolCallId === toolCallId)
}
