import { rawEvent } from '@sibyl/client'
import { cleanLine, safeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { ChatView } from './chat-view.ts'

/** Writes every event as one line of JSON to standard output, and notes for the user to standard error. */
export const jsonChatView = ({ stdout, stderr }: Pick<CommandIo, 'stdout' | 'stderr'>): ChatView => {
  const note = (text: string) => {
    stderr.write(`sibyl: ${text}\n`)
  }
  return {
    showSent: () => {},
    event: item => {
      stdout.write(`${safeJson(rawEvent(item))}\n`)
    },
    came: () => {},
    reconnecting: () => note('connection lost, resuming'),
    question: ({ tool, question, asks }) =>
      note(`${cleanLine(tool)} ${asks ? 'asks' : 'waits for approval'}: ${cleanLine(question)}`),
    stopping: () => note('stopping; press Ctrl-C again to exit'),
    problem: (message, remedy) => note(`${message} ${remedy}`.trimEnd()),
    note,
    settle: () => {},
  }
}
