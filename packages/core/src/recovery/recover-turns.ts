import type { Storage } from '@sibyl/storage'
import type { TurnHookRunner } from '../agent/turn-hooks.ts'
import type { Logger } from '../logging/logger.ts'
import type { CoreTables } from '../sessions/core-tables.ts'
import type { ToolCallStore } from '../sessions/tool-call-store.ts'
import { type MessagePart, readJson, readMetadata } from '../sessions/turn-message.ts'
import { type TurnRow, type TurnStore, turnRowOf } from '../sessions/turn-store.ts'
import { MessageBuilder } from '../stream/message-builder.ts'
import { type CallEnding, settleParts } from '../stream/settle-parts.ts'
import type { StreamEvent } from '../stream/turn-log.ts'

/** What recovery rests on. */
export interface RecoveryParts {
  readonly storage: Pick<Storage<CoreTables>, 'read' | 'write'>
  readonly turns: TurnStore
  readonly toolCalls: ToolCallStore
  readonly hooks: TurnHookRunner
  readonly log: Logger
  readonly now: () => number
}

/** What recovery found. */
export interface Recovered {
  /** Turns that were cut off and are now marked `interrupted`. */
  readonly interrupted: number
  /** Turns whose `after` hooks were called now. */
  readonly hooksCalled: number
}

/**
 * Ends the turns that a dead process left running, and calls the `after` hooks that were not called yet.
 *
 * @param deadBefore Turns without a sign of life since then (milliseconds since 1970) count as left.
 * @param ownProcess Turns of this process are never touched.
 */
export const recoverTurns = async (
  parts: RecoveryParts,
  deadBefore: number,
  ownProcess: string,
): Promise<Recovered> => {
  const left = await parts.storage.read
    .selectFrom('core_turns')
    .selectAll()
    .where('hooks_called', '=', 0)
    .where('status', '=', 'running')
    .where('heartbeat_at', '<=', deadBefore)
    .where('process_id', '!=', ownProcess)
    .execute()
  for (const row of left) await interruptTurn(parts, turnRowOf(row))
  return { interrupted: left.length, hooksCalled: await callHooks(parts, deadBefore, ownProcess) }
}

const interruptTurn = async (parts: RecoveryParts, turn: TurnRow): Promise<void> => {
  const events = await parts.turns.eventsAfter(turn.id, 0)
  const begun = await parts.toolCalls.ofTurn(turn.id)
  const endingOf = (toolCallId: string): CallEnding => {
    const call = begun.get(toolCallId)
    if (call?.output !== undefined) return { output: call.output }
    return call ? 'unknown' : 'not_run'
  }
  const builder = new MessageBuilder(await answerBefore(parts, turn))
  for (const { json } of events) builder.apply(readJson<StreamEvent>(json, { type: 'unreadable' }))
  const open = await openApprovals(parts, turn)
  const answer = settleParts(builder.parts, endingOf, toolCallId => open.has(toolCallId))
  await parts.turns.end({
    turnId: turn.id,
    owner: turn.owner,
    sessionId: turn.sessionId,
    answer: {
      id: turn.answerId,
      parts: answer,
      metadata: { sessionId: turn.sessionId, turnId: turn.id, outcome: 'interrupted' },
    },
    status: 'interrupted',
    code: 'turn_interrupted',
    usage: turn.usage,
    hooksCalled: !parts.hooks.hasAfter,
    now: parts.now(),
  })
  parts.log.warn('a turn was cut off by the end of its process', { turn: turn.id, session: turn.sessionId })
}

/** What the answer held before its stored events: parts of earlier turns that this one went on with. */
const answerBefore = async (parts: RecoveryParts, turn: TurnRow): Promise<MessagePart[]> => {
  const row = await parts.storage.read
    .selectFrom('core_messages')
    .select(['parts', 'metadata'])
    .where('owner', '=', turn.owner)
    .where('session_id', '=', turn.sessionId)
    .where('id', '=', turn.answerId)
    .executeTakeFirst()
  if (!row) return []
  return readMetadata(row.metadata).turnId === turn.id ? [] : readJson<MessagePart[]>(row.parts, [])
}

const openApprovals = async (parts: RecoveryParts, turn: TurnRow): Promise<Set<string>> => {
  const rows = await parts.storage.read
    .selectFrom('core_approvals')
    .select('tool_call_id')
    .where('turn_id', '=', turn.id)
    .where('state', '=', 'open')
    .execute()
  return new Set(rows.map(row => row.tool_call_id))
}

const callHooks = async (parts: RecoveryParts, deadBefore: number, ownProcess: string): Promise<number> => {
  if (!parts.hooks.hasAfter) return 0
  const rows = await parts.storage.read
    .selectFrom('core_turns')
    .selectAll()
    .where('hooks_called', '=', 0)
    .where('status', '!=', 'running')
    .where('ended_at', '<=', Math.max(deadBefore, 0))
    .execute()
  const owed = rows.map(turnRowOf).filter(turn => turn.processId !== ownProcess || turn.status === 'interrupted')
  for (const turn of owed) {
    const record = {
      id: turn.id,
      actor: turn.actor,
      sessionId: turn.sessionId,
      text: turn.text,
      channel: turn.channel,
      startedAt: turn.startedAt,
    }
    const outcome = turn.status === 'running' ? 'interrupted' : turn.status
    await parts.hooks.after(record, { outcome, usage: turn.usage, complete: outcome !== 'interrupted' })
    await parts.turns.markHooksCalled(turn.id)
  }
  return owed.length
}
