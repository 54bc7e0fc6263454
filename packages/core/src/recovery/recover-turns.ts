import { type Storage, sql } from '@sibyl/storage'
import type { TurnHookRunner } from '../agent/turn-hooks.ts'
import type { Logger } from '../logging/logger.ts'
import type { CoreTables } from '../sessions/core-tables.ts'
import type { BegunCall, ToolCallStore } from '../sessions/tool-call-store.ts'
import { type MessagePart, readJson } from '../sessions/turn-message.ts'
import { type TurnRow, type TurnStore, turnRowOf } from '../sessions/turn-store.ts'
import { endingOf, settleParts } from '../stream/settle-parts.ts'

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
    .where('hooks_called', '=', sql.lit(0))
    .where('status', '=', 'running')
    .where('heartbeat_at', '<=', deadBefore)
    .where('process_id', '!=', ownProcess)
    .execute()
  let interrupted = 0
  for (const turn of left.map(turnRowOf)) {
    if (!turn.admitted) {
      await parts.turns.withdraw({ turnId: turn.id, actor: turn.actor, sessionId: turn.sessionId })
    } else if (await interruptTurn(parts, turn, deadBefore)) interrupted += 1
  }
  return { interrupted, hooksCalled: await callHooks(parts, deadBefore, ownProcess) }
}

const interruptTurn = async (parts: RecoveryParts, turn: TurnRow, deadBefore: number): Promise<boolean> => {
  const begun = await parts.toolCalls.ofTurn(turn.id)
  const open = await openApprovals(parts, turn)
  const answer = withBegunCalls(await storedAnswer(parts, turn), [...begun.values()])
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
    hooksCalled: !parts.hooks.hasAfter,
    deadBefore,
    now: parts.now(),
  })
  if (interrupted) {
    parts.log.warn('a turn was cut off by the end of its process', { turn: turn.id, session: turn.sessionId })
  }
  return interrupted
}

/** The answer as far as it was stored; it is stored together with its events. */
const storedAnswer = async (parts: RecoveryParts, turn: TurnRow): Promise<MessagePart[]> => {
  const row = await parts.storage.read
    .selectFrom('core_messages')
    .select('parts')
    .where('owner', '=', turn.owner)
    .where('session_id', '=', turn.sessionId)
    .where('id', '=', turn.answerId)
    .executeTakeFirst()
  return readJson<MessagePart[]>(row?.parts ?? null, [])
}

/** Adds the writing calls that began after the answer was stored last. */
const withBegunCalls = (answer: readonly MessagePart[], begun: readonly BegunCall[]): MessagePart[] => {
  const known = new Set(answer.map(part => part.toolCallId))
  return [
    ...answer,
    ...begun
      .filter(call => !known.has(call.toolCallId))
      .map(({ toolCallId, tool, input }) => ({ type: `tool-${tool}`, toolCallId, state: 'input-available', input })),
  ]
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
    .where('hooks_called', '=', sql.lit(0))
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
