import type { messageParts } from '@sibyl/protocol'
import type * as z from 'zod'
import { isToolPart, type MessagePart } from '../../sessions/stored-message.ts'
import type { Approval } from './approval-store.ts'
import type { StoreDependencies } from './store-dependencies.ts'
import { type BegunCall, endingOf, settleParts } from './tool-call-store.ts'
import { noModel, type ToolCounts, type TurnRow } from './turn.ts'
import { endedTiming } from './turn-finisher.ts'

/**
 * Ends a turn whose process is gone, with what it had said, begun and asked.
 *
 * @param silentForMs A turn that spoke within this time is let be.
 * @returns whether it was still there to end
 */
export const interruptTurn = async (
  dependencies: StoreDependencies,
  turn: TurnRow,
  silentForMs: number | undefined,
): Promise<boolean> => {
  const { turns, sessions, approvals, toolCalls, hooks, log, now } = dependencies
  const begun = await toolCalls.ofTurn(turn.id)
  const open = new Map(
    (await approvals.ofTurn(turn.id)).filter(({ state }) => state === 'open').map(one => [one.toolCallId, one]),
  )
  // The stored part of the answer, together with its events.
  const stored = await sessions.message(turn.owner, turn.sessionId, turn.answerId)
  const answer = withCalls(stored?.parts ?? [], [...begun.values()], [...open.values()])
  const tools = countedTools(turn.tools, [...begun.values()])
  const { usage, model = noModel } = turn
  const timing = endedTiming({ facts: turn, outcome: 'interrupted', usage, model, tools }, dependencies)
  const interrupted = await turns.end({
    turnId: turn.id,
    owner: turn.owner,
    sessionId: turn.sessionId,
    answer: {
      id: turn.answerId,
      parts: settleParts(
        answer,
        toolCallId => endingOf(begun.get(toolCallId)),
        toolCallId => open.has(toolCallId),
      ),
      metadata: { sessionId: turn.sessionId, turnId: turn.id, outcome: 'interrupted' },
    },
    status: 'interrupted',
    code: 'turn_interrupted',
    usage,
    tools,
    hooksCalled: !hooks.hasAfter,
    timing,
    left: { silentForMs },
    mayContinue: true,
    now: now(),
  })
  if (interrupted) {
    log.warn('a turn was interrupted because its process exited', { turn: turn.id, session: turn.sessionId })
  }
  return interrupted
}

/** Returns the stored counts with the writing calls that began after them. */
export const countedTools = (stored: ToolCounts, begun: readonly BegunCall[]): ToolCounts => {
  const writes = new Map<string, number>()
  for (const { tool, state } of begun) if (state !== 'waiting') writes.set(tool, (writes.get(tool) ?? 0) + 1)
  const counts = new Map(Object.entries(stored))
  for (const [tool, count] of writes) counts.set(tool, Math.max(count, counts.get(tool) ?? 0))
  return Object.fromEntries(counts)
}

/** Adds the writing calls that began, and the questions that were asked, after the answer was stored last. */
const withCalls = (
  answer: readonly MessagePart[],
  begun: readonly BegunCall[],
  asked: readonly Approval[],
): MessagePart[] => {
  const calls = new Map<unknown, MessagePart>()
  for (const { toolCallId, tool, input } of begun) {
    calls.set(toolCallId, { type: `tool-${tool}`, toolCallId, state: 'input-available', input })
  }
  for (const { id, toolCallId, tool, input, kind } of asked) {
    const waits = kind === 'client' ? { state: 'input-available' } : { state: 'approval-requested', approval: { id } }
    calls.set(toolCallId, { type: `tool-${tool}`, toolCallId, input, ...waits })
  }
  const shown = new Set(answer.flatMap(part => (part.type === 'data-question' ? [part.id] : [])))
  const known = new Set(answer.map(part => part.toolCallId))
  const questions = new Set(asked.map(({ toolCallId }) => toolCallId))
  return [
    ...answer.map(part => (isToolPart(part) && questions.has(part.toolCallId) ? calls.get(part.toolCallId)! : part)),
    ...[...calls.values()].filter(({ toolCallId }) => !known.has(toolCallId)),
    ...asked.filter(({ id, kind }) => (kind === 'question' || kind === 'outcome') && !shown.has(id)).map(questionPart),
  ]
}

const questionPart = ({ id, toolCallId, question: text, schema }: Approval): MessagePart => {
  const data: z.infer<typeof messageParts.question> = { approvalId: id, toolCallId, text, schema }
  return { type: 'data-question', id, data }
}
