import { randomUUID } from 'node:crypto'
import { ConnectionLostError, rawEvent } from '@sibyl/client'
import { LinePrompt } from '../../ask/line-prompt.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { explainError } from '../../errors/explain-error.ts'
import { openOracle } from '../../oracle/open-oracle.ts'
import { cleanLine, safeJson } from '../../output/clean-text.ts'
import { displayWidth } from '../../output/display-width.ts'
import { shortenDid } from '../../output/format.ts'
import { Screen } from '../../output/screen.ts'
import { isTerminal, stylesFor } from '../../output/styles.ts'
import { asCalled } from '../../process/called-as.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { approvedAnswer, askPerson } from './approval-prompt.ts'
import type { ChatOptions } from './chat-command.ts'
import { type ChatView, messageWords, type SessionMessage } from './chat-view.ts'
import { Conversation, type Decider } from './conversation.ts'
import { Interruption } from './interruption.ts'
import { SessionWatch } from './session-watch.ts'
import type { Talk } from './talk.ts'
import { talkByScript } from './talk-by-script.ts'
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

/** The lines that end the chat. */
const leaving = /^\s*\/?(?:exit|quit)\s*$/i

/** Chats with a user on a terminal until they exit. Errors of one exchange are shown, and the chat continues. */
const talkInteractively = async (talk: Talk): Promise<ExitCode> => {
  const { client, oracle, sessionId, view, interruption, options, io, did, explain } = talk
  const styles = stylesFor(io.stdout, io.env)
  const name = cleanLine(oracle.name)
  const facts = [`at ${client.url}`, `you are ${shortenDid(did)}`, 'Ctrl-C stops a turn, exit quits']
  const fits = displayWidth(`${name} ${facts.join('   ')}`) <= (io.stdout.columns ?? 80)
  io.stdout.write(`${styles.bold(name)} ${styles.dim(facts.join(fits ? '   ' : '\n'))}\n\n`)

  const prompt = new LinePrompt(io, styles.bold('you     '), () => interruption.press())
  interruption.whenIdle(() => prompt.interrupt())
  const decide: Decider = async question =>
    approvedAnswer(options.approve, question) ?? prompt.handOver(() => askPerson(io, question))
  const isOld = options.session !== undefined
  const watch = new SessionWatch({ client, sessionId, isOld, io, show: news => showNews(news, talk, prompt) })
  const conversation = new Conversation({ ...talk, decide, onShown: id => watch.know(id) })
  let sent = 0
  let stopWatching = () => {}
  try {
    for (;;) {
      if (isOld || sent > 0) stopWatching = watch.start()
      const asked = await prompt.ask()
      stopWatching()
      if (asked.kind !== 'text' || leaving.test(asked.text)) {
        if (sent > 0) view.note(asCalled(`to continue this session: sibyl chat --session ${sessionId}`, io.env))
        return asked.kind === 'leave' ? exitCode.interrupted : exitCode.done
      }
      if (asked.text.trim() === '') continue
      if (!asked.echoed) view.showSent(asked.text)
      sent += 1
      const end = await conversation.send(asked.text).catch(async error => {
        const { message, remedy } = explainError(await explain(error))
        view.problem(message, error instanceof ConnectionLostError ? 'Ask again.' : asCalled(remedy, io.env))
      })
      if (end === 'left') return exitCode.interrupted
      if (end === 'open') view.note('The question stays open until your next message.')
      io.stdout.write('\n')
    }
  } finally {
    stopWatching()
    prompt.close()
  }
}

const showNews = (news: readonly SessionMessage[], { view, io }: Talk, prompt: LinePrompt): boolean => {
  const reported = news.filter(message => messageWords(message) !== '')
  if (reported.length === 0) return true
  return prompt.interject(() => {
    for (const message of reported) {
      view.came(message)
      io.stdout.write('\n')
    }
  })
}
