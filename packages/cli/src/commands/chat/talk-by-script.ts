import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { chatLimits } from '@sibyl/protocol'
import { cliErrors } from '../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import type { InputStream } from '../../process/command-io.ts'
import { approvedAnswer, askPerson } from './approval-prompt.ts'
import { Conversation, type Decider, type ExchangeEnd } from './conversation.ts'
import type { Talk } from './talk.ts'

/**
 * Sends the messages of `--once` or stdin one after the other, up to the first that fails.
 *
 * @throws `usage_invalid` when there is no message, or one is too long
 */
export const talkByScript = async (talk: Talk): Promise<ExitCode> => {
  const { options, view, interruption } = talk
  const conversation = new Conversation({ ...talk, decide: deciderFor(talk) })
  let sent = 0
  for await (const message of messagesOf(talk)) {
    if (message.trim() === '') continue
    checkLength(message)
    sent += 1
    if (options.once === undefined) view.showSent(message)
    const code = exitCodeOf(await conversation.send(message), interruption.happened)
    if (code !== exitCode.done) return code
  }
  if (sent === 0)
    throw cliErrors.usage_invalid('There is no message.', 'Pass --once "text", or pipe one message per line.')
  return exitCode.done
}

const messagesOf = ({ options, io }: Talk): Iterable<string> | AsyncIterable<string> => {
  if (options.once === '-') return wholeInput(io.stdin)
  if (options.once !== undefined) return [options.once]
  return createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY })
}

async function* wholeInput(stdin: InputStream) {
  yield (await text(stdin)).trimEnd()
}

const checkLength = (message: string) => {
  if (message.length <= chatLimits.messageCharacters) return
  const problem = `The message has ${message.length} characters; the limit is ${chatLimits.messageCharacters}.`
  throw cliErrors.usage_invalid(problem, 'Shorten it, or pipe it as several lines.')
}

const deciderFor = ({ options, io, view }: Talk): Decider => {
  const { approve } = options
  const canAsk = approve === undefined && io.stdin.isTTY === true && io.stdout.isTTY === true && !options.json
  return async question => {
    const answer = approvedAnswer(approve, question)
    if (answer) {
      view.note(`answered by --approve: ${approve}`)
      return answer
    }
    if (canAsk) return askPerson(io, question)
    view.note(
      question.asks
        ? 'refused: this question can be answered only on a terminal'
        : 'denied: approval requires a terminal; --approve once allows it',
    )
    return { decision: 'deny' }
  }
}

const exitCodeOf = (end: ExchangeEnd, interrupted: boolean): ExitCode => {
  if (end === 'done') return exitCode.done
  if (end === 'open' || end === 'left' || interrupted) return exitCode.interrupted
  return exitCode.failed
}
