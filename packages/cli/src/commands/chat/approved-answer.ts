import type { Decision } from '@sibyl/client'
import { defaultAnswer } from './answer-prompt.ts'
import type { ApprovalQuestion } from './chat-view.ts'
import type { Answer } from './conversation.ts'

/**
 * The answer that `--approve` gives to a question. Undefined without it, and where a tool asks what only a person can say.
 */
export const approvedAnswer = (approve: Decision | undefined, { asks }: ApprovalQuestion): Answer | undefined => {
  if (approve === undefined) return undefined
  return asks && approve !== 'deny' ? defaultAnswer(asks.schema) : { decision: approve }
}
