import { isCancel, select } from '@clack/prompts'
import type { Decision } from '@sibyl/client'
import { clackAsker } from '../../ask/clack-asker.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { askAnswer, defaultAnswer } from './answer-prompt.ts'
import type { ApprovalQuestion } from './chat-view.ts'
import type { Answer } from './conversation.ts'

/**
 * Asks the user the question of a tool, or for approval.
 *
 * @returns undefined when the user skips it
 */
export const askPerson = async (io: CommandIo, { asks }: ApprovalQuestion): Promise<Answer | undefined> => {
  if (asks) return askAnswer(clackAsker(io, io.stdout, false), asks.schema)
  const decision = await askApproval(io)
  return decision && { decision }
}

/**
 * Asks the user whether a tool may run. The safe answer is preselected, so that an accidental Enter allows nothing.
 *
 * @returns undefined when the user cancels
 */
const askApproval = async (io: CommandIo): Promise<Decision | undefined> => {
  const answer = await select<Decision>({
    message: 'Allow it?',
    options: [
      { value: 'once', label: 'allow once' },
      { value: 'session', label: 'in this session', hint: 'always allow this tool' },
      { value: 'deny', label: 'no' },
    ],
    initialValue: 'deny',
    withGuide: false,
    input: io.stdin,
    output: io.stdout,
  })
  return isCancel(answer) ? undefined : answer
}

/**
 * Returns the answer of `--approve` to a question. Undefined without it, and for questions that only a user can answer.
 */
export const approvedAnswer = (approve: Decision | undefined, { asks }: ApprovalQuestion): Answer | undefined => {
  if (approve === undefined) return undefined
  return asks && approve !== 'deny' ? defaultAnswer(asks.schema) : { decision: approve }
}
