import type { McpCallOptions, McpOutcome, McpQuestion } from '@sibyl/mcp-client'
import { PersonNeeded, type ToolCall, ToolFailure } from '@sibyl/plugin'
import { cancelQuestion, type HeldQuestions } from '../questions/held-questions.ts'
import { wordQuestion } from '../questions/word-question.ts'
import { argumentCheck } from './argument-check.ts'

/** How many questions one call may ask. */
const maxRounds = 5

/** What came of a call. */
export type ServerResult = Extract<McpOutcome, { kind: 'result' }> & {
  /** The server asked for a password, a token or the like, and was told no. */
  readonly askedForSecret: boolean
}

/** What calls of a server need. */
export interface AskServerOptions {
  /** As people call it. */
  readonly server: string
  readonly held: HeldQuestions
  /** Whether the tool changes something. */
  readonly writes: boolean
  redact(text: string): string
}

/**
 * Sends a call, or answers the question that it asked before, and goes on until there is a result. Throws `PersonNeeded`
 * where the server asks a person, while the call stays open there.
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
    if (!('ask' in worded)) throw new ToolFailure(`The MCP server ${server} asked something that nobody can be asked.`)
    if (!held.hold(call.idempotencyKey, { question, actor: call.turn.actor, round })) {
      cancelQuestion(question)
      throw new ToolFailure(`Too many questions of MCP servers wait just now. Try again later.`)
    }
    throw new PersonNeeded({ ...worded.ask, boundToProcess: true })
  }

  const settle = async (outcome: McpOutcome, round: number): Promise<ServerResult> => {
    if (outcome.kind === 'result') return { ...outcome, askedForSecret }
    if (!call.canAsk) {
      cancelQuestion(outcome)
      throw new ToolFailure(`The MCP server ${server} asks a person a question, and nobody can be asked here.`)
    }
    if (round >= maxRounds) {
      cancelQuestion(outcome)
      throw new ToolFailure(
        `The MCP server ${server} asked more than ${maxRounds} questions in one call. It was told no.`,
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
    if (!writes) throw new ToolFailure(`The person would not answer what the MCP server ${server} asked.`)
    throw new ToolFailure(
      `The call at the MCP server ${server} ended while it waited for the answer. Whether it did something is not known; check before you repeat it. It was not sent again.`,
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
  return ask(question, round + 1, `The answer did not fit${place === '' ? '' : ` (${place})`}. ${question.text}`)
}
