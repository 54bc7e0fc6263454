import type { McpCallOptions, McpOutcome, McpQuestion } from '@sibyl/mcp-client'
import { PersonNeeded, type ToolCall, ToolFailure } from '@sibyl/plugin'
import { cancelQuestion, type HeldQuestions } from '../questions/held-questions.ts'
import { wordQuestion } from '../questions/word-question.ts'
import { argumentCheck } from './argument-check.ts'

/** Maximum number of questions of one call. */
const maxRounds = 5

/** Result of a call. */
export type ServerResult = Extract<McpOutcome, { kind: 'result' }> & {
  /** True if the server asked for a password, a token or the like, and was declined. */
  readonly askedForSecret: boolean
}

/** Options for calls of a server. */
export interface AskServerOptions {
  /** Name for users. */
  readonly server: string
  readonly held: HeldQuestions
  /** True if the tool changes something. */
  readonly writes: boolean
  redact(text: string): string
}

/**
 * Sends a call, or answers its pending question, and continues until there is a result. Throws `PersonNeeded` if the
 * server asks a user a question; the call stays open at the server.
 */
export const askServer = async (
  call: ToolCall,
  send: (options: McpCallOptions) => Promise<McpOutcome>,
  options: McpCallOptions,
  { server, held, writes, redact }: AskServerOptions,
): Promise<ServerResult> => {
  let askedForSecret = false

  const ask = (question: McpQuestion, round: number, text?: string): never => {
    const worded = wordQuestion(text === undefined ? question : { ...question, text }, redact)
    if (!('ask' in worded))
      throw new ToolFailure(`The MCP server ${server} asked a question that cannot be shown to a user.`)
    if (!held.hold(call.idempotencyKey, { question, actor: call.turn.actor, round })) {
      cancelQuestion(question)
      throw new ToolFailure(`Too many questions of MCP servers are pending. Try again later.`)
    }
    throw new PersonNeeded({ ...worded.ask, boundToProcess: true })
  }

  const settle = async (outcome: McpOutcome, round: number): Promise<ServerResult> => {
    if (outcome.kind === 'result') return { ...outcome, askedForSecret }
    if (!call.canAsk) {
      cancelQuestion(outcome)
      throw new ToolFailure(`The MCP server ${server} asks a user a question, but no one can be asked here.`)
    }
    if (round >= maxRounds) {
      cancelQuestion(outcome)
      throw new ToolFailure(
        `The MCP server ${server} asked more than ${maxRounds} questions in one call. The last one was declined.`,
      )
    }
    const worded = wordQuestion(outcome, redact)
    if ('ask' in worded) return ask(outcome, round + 1)
    askedForSecret ||= worded.refuse === 'secret'
    return settle(await outcome.answer({ action: 'decline' }, options), round + 1)
  }

  if (!call.answer) return settle(await send(options), 0)
  const waiting = held.take(call.idempotencyKey, call.turn.actor.did)
  if (!waiting) {
    if (!writes && call.answer.accepted) return settle(await send(options), 0)
    if (!writes) throw new ToolFailure(`The user declined the question of the MCP server ${server}.`)
    throw new ToolFailure(
      `The call at the MCP server ${server} ended while it waited for the answer. Its effects are unknown, and it was not sent again. Check before you repeat it.`,
    )
  }
  const { question, round } = waiting
  const { accepted, data } = call.answer
  if (!accepted) return settle(await question.answer({ action: 'decline' }, options), round)
  if (question.schema === undefined) return settle(await question.answer({ action: 'accept' }, options), round)
  const content = argumentCheck(question.schema).safeParse(data ?? {})
  if (content.success) return settle(await question.answer({ action: 'accept', content: content.data }, options), round)
  const [issue] = content.error.issues
  const place = issue?.path.join('.') ?? ''
  if (round >= maxRounds) return settle(await question.answer({ action: 'decline' }, options), round)
  return ask(question, round + 1, `The answer is invalid${place === '' ? '' : ` (${place})`}. ${question.text}`)
}
