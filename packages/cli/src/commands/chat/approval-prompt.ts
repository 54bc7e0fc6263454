import { isCancel, select } from '@clack/prompts'
import type { Decision } from '@sibyl/client'
import { clackAsker } from '../../ask/clack-asker.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { askAnswer, defaultAnswer } from './answer-prompt.ts'
import type { ApprovalQuestion } from './chat-view.ts'
import type { Answer } from './conversation.ts'

/**
 * Asks a person on a terminal what a tool asks, or whether it may run.
 *
 * @returns undefined when the person leaves it open
 */
export const askPerson = async (io: CommandIo, { asks }: ApprovalQuestion): Promise<Answer | undefined> => {
  if (asks) return askAnswer(clackAsker(io, io.stdout, false), asks.schema)
  const decision = await askApproval(io)
  return decision && { decision }
}

/**
 * Asks a person on a terminal whether a tool may run. The safe answer is marked, so that a stray Enter allows nothing.
 *
 * @returns undefined when the person cancels
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
 * The answer that `--approve` gives to a question. Undefined without it, and where a tool asks what only a person can say.
 */
export const approvedAnswer = (approve: Decision | undefined, { asks }: ApprovalQuestion): Answer | undefined => {
  if (approve === undefined) return undefined
  return asks && approve !== 'deny' ? defaultAnswer(asks.schema) : { decision: approve }
}
