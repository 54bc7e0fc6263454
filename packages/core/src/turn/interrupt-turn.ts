import type { Logger } from '@sibyl/plugin'
import type { JsonObject, JsonValue, QuestionData } from '@sibyl/protocol'
import type { Storage } from '@sibyl/storage'
import type { CoreTables } from '../sessions/core-tables.ts'
import { isToolPart, type MessagePart, readJson } from '../sessions/stored-message.ts'
import { endingOf, settleParts } from './settle-calls.ts'
import type { BegunCall, ToolCallStore } from './tool-call-store.ts'
import type { ToolCounts, TurnRow } from './turn.ts'
import type { TurnHookRunner } from './turn-hooks.ts'
import type { TurnStore } from './turn-store.ts'

/** What `interruptTurn` rests on. */
export interface InterruptParts {
  readonly storage: Pick<Storage<CoreTables>, 'read'>
  readonly turns: TurnStore
  readonly toolCalls: ToolCallStore
  readonly hooks: Pick<TurnHookRunner, 'hasAfter'>
  readonly log: Logger
  readonly now: () => number
}

/**
 * Ends a turn whose process is gone, with what it had said, begun and asked.
 *
 * @param silentForMs A turn that spoke within this time is let be.
 * @returns whether it was still there to end
 */
export const interruptTurn = async (
  parts: InterruptParts,
  turn: TurnRow,
  silentForMs: number | undefined,
): Promise<boolean> => {
  const begun = await parts.toolCalls.ofTurn(turn.id)
  const open = await openApprovals(parts, turn)
  const answer = withCalls(await storedAnswer(parts, turn), [...begun.values()], [...open.values()])
  const interrupted = await parts.turns.end({
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
    usage: turn.usage,
    tools: countedTools(turn.tools, [...begun.values()]),
    hooksCalled: !parts.hooks.hasAfter,
    left: { silentForMs },
    now: parts.now(),
  })
  if (interrupted) {
    parts.log.warn('a turn was cut off by the end of its process', { turn: turn.id, session: turn.sessionId })
  }
  return interrupted
}

/** What was counted last, and the writing calls that began after that. */
const countedTools = (stored: ToolCounts, begun: readonly BegunCall[]): ToolCounts => {
  const writes = new Map<string, number>()
  for (const { tool, state } of begun) if (state !== 'waiting') writes.set(tool, (writes.get(tool) ?? 0) + 1)
  const counts = new Map(Object.entries(stored))
  for (const [tool, count] of writes) counts.set(tool, Math.max(count, counts.get(tool) ?? 0))
  return Object.fromEntries(counts)
}

/** The answer as far as it was stored; it is stored together with its events. */
const storedAnswer = async (parts: InterruptParts, turn: TurnRow): Promise<MessagePart[]> => {
  const row = await parts.storage.read
    .selectFrom('core_messages')
    .select('parts')
    .where('owner', '=', turn.owner)
    .where('session_id', '=', turn.sessionId)
    .where('id', '=', turn.answerId)
    .executeTakeFirst()
  return readJson<MessagePart[]>(row?.parts ?? null, [])
}

/** Adds the writing calls that began, and the questions that were asked, after the answer was stored last. */
const withCalls = (
  answer: readonly MessagePart[],
  begun: readonly BegunCall[],
  asked: readonly AskedCall[],
): MessagePart[] => {
  const calls = new Map<unknown, MessagePart>()
  for (const { toolCallId, tool, input } of begun) {
    calls.set(toolCallId, { type: `tool-${tool}`, toolCallId, state: 'input-available', input })
  }
  for (const { id, toolCallId, tool, input } of asked) {
    calls.set(toolCallId, { type: `tool-${tool}`, toolCallId, state: 'approval-requested', input, approval: { id } })
  }
  const shown = new Set(answer.flatMap(part => (part.type === 'data-question' ? [part.id] : [])))
  const known = new Set(answer.map(part => part.toolCallId))
  const questions = new Set(asked.map(({ toolCallId }) => toolCallId))
  return [
    ...answer.map(part => (isToolPart(part) && questions.has(part.toolCallId) ? calls.get(part.toolCallId)! : part)),
    ...[...calls.values()].filter(({ toolCallId }) => !known.has(toolCallId)),
    ...asked.flatMap(({ id, asks }) => (asks && !shown.has(id) ? [{ type: 'data-question', id, data: asks }] : [])),
  ]
}

/** A call whose question is open. */
interface AskedCall {
  readonly id: string
  readonly toolCallId: string
  readonly tool: string
  readonly input: JsonValue
  /** What the call asked in the midst of its work. */
  readonly asks?: QuestionData
}

const openApprovals = async (parts: InterruptParts, turn: TurnRow): Promise<Map<string, AskedCall>> => {
  const rows = await parts.storage.read
    .selectFrom('core_approvals')
    .select(['id', 'tool_call_id', 'tool', 'input', 'kind', 'question', 'answer_schema'])
    .where('turn_id', '=', turn.id)
    .where('state', '=', 'open')
    .execute()
  return new Map(
    rows.map(({ id, tool_call_id: toolCallId, tool, input, kind, question: text, answer_schema: schema }) => {
      const asks = {
        approvalId: id,
        toolCallId,
        text,
        ...(schema === null ? {} : { schema: readJson<JsonObject>(schema, {}) }),
      }
      const call = { id, toolCallId, tool, input: readJson<JsonValue>(input, null) }
      return [toolCallId, kind === 'question' ? { ...call, asks } : call]
    }),
  )
}
