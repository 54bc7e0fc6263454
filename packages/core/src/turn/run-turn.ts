import type { Logger } from '@sibyl/plugin'
import type { ModelMessage } from 'ai'
import { classifyModelFailure } from '../agent/model-failure.ts'
import { turnNoteHeading } from '../agent/turn-note.ts'
import type { StoredMessage } from '../sessions/stored-message.ts'
import { gatherTools } from '../tools/core-tools.ts'
import { askForAnswer, askForApproval } from './ask-person.ts'
import { type AgentRunResult, runAgent } from './model-loop.ts'
import { systemPrompt, toModelMessages, trimHistory, turnInstructions } from './prompt.ts'
import { guardContext, runApproved } from './resume-calls.ts'
import type { RunningTurn } from './running-turn.ts'
import { type StopReason, StopRules, stopText } from './stop-rules.ts'
import { cutEnding, type TurnEnding } from './turn.ts'
import type { TurnServices } from './turn-dependencies.ts'

/** How long a cut turn may take to come to its end, in milliseconds. */
const cutGraceMs = 1_000

/** How often the same tool call may give the same result. */
const maxRepeats = 3

/** Runs a turn from its first event to its ending. It never rejects: whatever goes wrong is an ending. */
export const performTurn = async (running: RunningTurn, services: TurnServices): Promise<TurnEnding> => {
  try {
    const result = await untilCut(running, runTurn(running, services))
    if (running.cutReason) return cutEnding(running.cutReason, running.used)
    if (!result) return { ...running.used, outcome: 'failed', finishReason: 'error', code: 'turn_failed' }
    if (result.error !== undefined) return failedEnding(result.error, running, services.log)
    const outcome = result.awaitsApproval ? 'awaiting-approval' : 'done'
    return { ...running.used, outcome, finishReason: result.finishReason }
  } catch (error) {
    if (running.cutReason) return cutEnding(running.cutReason, running.used)
    return failedEnding(error, running, services.log)
  }
}

/** Gives a cut turn a moment to end by itself, and no more. */
const untilCut = async <Result>(running: RunningTurn, work: Promise<Result>): Promise<Result | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const { signal } = running.turn
  const gaveUp = new Promise<undefined>(resolve => {
    const giveUpSoon = () => {
      timer = setTimeout(() => resolve(undefined), cutGraceMs)
    }
    if (signal.aborted) giveUpSoon()
    else signal.addEventListener('abort', giveUpSoon, { once: true })
  })
  try {
    return await Promise.race([work, gaveUp])
  } finally {
    clearTimeout(timer)
  }
}

const failedEnding = (error: unknown, { used, facts }: RunningTurn, log: Logger): TurnEnding => {
  const { code, text } = classifyModelFailure(error)
  log.warn('a turn failed', { turn: facts.id, code, error })
  return { ...used, outcome: 'failed', finishReason: 'error', code, text }
}

const runTurn = async (running: RunningTurn, services: TurnServices): Promise<AgentRunResult> => {
  const { facts, turn } = running
  running.emit({
    type: 'start',
    messageId: facts.answerId,
    messageMetadata: { sessionId: facts.sessionId, turnId: facts.id },
  })
  const [ai, model, messages] = await Promise.all([
    import('ai'),
    services.model({ endsAt: running.endsAt }),
    facts.firstMessage
      ? Promise.resolve([storedMessage(running, facts.firstMessage)])
      : services.sessions.messages(facts.actor.did, facts.sessionId),
  ])
  const stopRules = new StopRules({
    maxSteps: services.limits.maxSteps,
    maxTokens: services.limits.maxTokens,
    maxRepeats,
  })
  const tools = await gatherTools(running, services)
  const guard = guardContext(running, services, tools, stopRules)
  if (await runApproved(running, services, tools, guard)) {
    return { ...running.used, finishReason: 'tool-calls', awaitsApproval: true }
  }
  const trimmed = trimHistory(withAnswerSoFar(running, messages), services.limits.historyTokens)
  if (trimmed.leftOut > 0) {
    running.emit({
      type: 'data-notice',
      data: { code: 'history_trimmed', text: `The oldest ${trimmed.leftOut} messages no longer fit and are left out.` },
    })
  }
  const entries = services.catalog.entries().filter(entry => tools.has(entry.name))
  const inPrompt = entries.filter(entry => entry.mode === 'always' || trimmed.leftOut > 0)
  const result = await runAgent({
    ai,
    model:
      services.middleware.length > 0 ? ai.wrapLanguageModel({ model, middleware: [...services.middleware] }) : model,
    instructions: systemPrompt(services.profile, inPrompt),
    messages: withTurnInstructions(
      await toModelMessages(ai, trimmed.messages, facts.continues !== undefined),
      facts.note,
      await turnInstructions(entries, turn, services.log),
    ),
    tools,
    catalog: services.catalog,
    guard,
    stopRules,
    signal: turn.signal,
    watch: running.watch,
    approvals: facts.approvals,
    emit: event => running.emit(event),
    used: (usage, steps) => {
      running.used = { usage, steps }
    },
    askForApproval: (call, approvalId, text) => askForApproval(running, services, call, approvalId, text),
    askForAnswer: (call, question) => askForAnswer(running, services, call, question),
  })
  const { inputTokens, outputTokens } = result.usage
  noticeStop(running, stopRules.reason(result.steps, inputTokens + outputTokens), result)
  return result
}

const storedMessage = (
  { facts }: RunningTurn,
  { id, parts }: NonNullable<RunningTurn['facts']['firstMessage']>,
): StoredMessage => ({
  id,
  role: 'user',
  parts: [...parts],
  metadata: {},
  turnId: facts.id,
  createdAt: facts.startedAt,
})

/**
 * In a turn that goes on, the stored answer is replaced by the one at hand, which has the results; what was posted after
 * it is for the next turn, since the model goes on with the last message.
 */
const withAnswerSoFar = (running: RunningTurn, messages: readonly StoredMessage[]): readonly StoredMessage[] => {
  const answer = running.facts.continues ? messages.findIndex(({ id }) => id === running.facts.answerId) : -1
  return answer < 0 ? messages : [...messages.slice(0, answer), { ...messages[answer]!, parts: running.answer.parts }]
}

const withTurnInstructions = (messages: ModelMessage[], ...texts: (string | undefined)[]): ModelMessage[] => {
  const last = messages.findLastIndex(message => message.role === 'user')
  const message = messages[last]
  const text = texts.filter(one => one !== undefined).join('\n\n')
  if (text === '' || message?.role !== 'user') return messages
  const content =
    typeof message.content === 'string' ? [{ type: 'text' as const, text: message.content }] : message.content
  const note = { type: 'text' as const, text: `${turnNoteHeading}\n${text}` }
  return messages.with(last, { ...message, content: [...content, note] })
}

const noticeStop = (running: RunningTurn, reason: StopReason | undefined, result: AgentRunResult): void => {
  if (
    !reason ||
    result.awaitsApproval ||
    result.error !== undefined ||
    running.cutReason ||
    result.finishReason !== 'tool-calls'
  )
    return
  running.emit({ type: 'data-notice', data: { code: reason, text: stopText[reason] } })
}
