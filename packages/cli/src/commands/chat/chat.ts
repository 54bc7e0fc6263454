import { randomUUID } from 'node:crypto'
import { rawEvent } from '@sibyl/client'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { openOracle } from '../../oracle/open-oracle.ts'
import { cleanLine, safeJson } from '../../output/clean-text.ts'
import { Screen } from '../../output/screen.ts'
import { isTerminal, stylesFor } from '../../output/styles.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { ChatOptions } from './chat-command.ts'
import type { ChatView } from './chat-view.ts'
import { Interruption } from './interruption.ts'
import { talkByScript } from './talk-by-script.ts'
import { talkInteractively } from './talk-interactively.ts'
import { TextChatView } from './text-chat-view.ts'
import { createTurnCost } from './turn-cost.ts'

/** Runs `sibyl chat`: interactively on a terminal, otherwise by script. */
export const chat = async (options: ChatOptions, io: CommandIo): Promise<ExitCode> => {
  const view = viewFor(options, io)
  const { key, client, oracle, explain } = await openOracle({ ...options, chatAbilities: options.ability }, io)
  const sessionId = options.session ?? randomUUID()
  const interruption = new Interruption()
  interruption.whenStopping(() => view.stopping())
  const left = Promise.withResolvers<ExitCode>()
  interruption.whenIdle(() => left.resolve(exitCode.interrupted))
  const release = io.onInterrupt(() => interruption.press())
  try {
    const costOf = createTurnCost(client)
    const talk = { client, oracle, sessionId, view, interruption, options, io, did: key.did, explain, costOf }
    const talking = isInteractive(options, io) ? talkInteractively(talk) : talkByScript(talk)
    return await Promise.race([talking, left.promise])
  } catch (error) {
    throw await explain(error)
  } finally {
    release()
  }
}

const isInteractive = (options: ChatOptions, { stdin, stdout, env }: CommandIo): boolean =>
  options.once === undefined && !options.json && stdin.isTTY === true && isTerminal(stdout, env)

const viewFor = (options: ChatOptions, io: CommandIo): ChatView => {
  if (options.json) return jsonChatView(io)
  const { stdout, env, now } = io
  return new TextChatView(new Screen(stdout, isTerminal(stdout, env)), stylesFor(stdout, env), now)
}

/** Writes every event as one line of JSON to standard output, and notes for the user to standard error. */
const jsonChatView = ({ stdout, stderr }: Pick<CommandIo, 'stdout' | 'stderr'>): ChatView => {
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
