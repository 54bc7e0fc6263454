import { isCancel, select } from '@clack/prompts'
import type { Decision } from '@sibyl/client'
import type { CommandIo } from '../../command-io.ts'

/**
 * Asks a person on a terminal whether a tool may run. The safe answer is marked, so that a stray Enter allows nothing.
 *
 * @returns undefined when the person cancels
 */
export const askApproval = async (io: CommandIo): Promise<Decision | undefined> => {
  const answer = await select<Decision>({
    message: 'Allow it?',
    options: [
      { value: 'once', label: 'allow once' },
      { value: 'session', label: 'in this session', hint: 'this tool, without asking again' },
      { value: 'deny', label: 'no' },
    ],
    initialValue: 'deny',
    withGuide: false,
    input: io.stdin,
    output: io.stdout,
  })
  return isCancel(answer) ? undefined : answer
}
