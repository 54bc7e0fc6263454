import type { JsonValue } from '@sibyl/protocol'
import { type Storage, sql } from '@sibyl/storage'
import type { TurnHookRunner } from '../agent/turn-hooks.ts'
import type { Logger } from '../logging/logger.ts'
import type { CoreTables } from '../sessions/core-tables.ts'
import type { BegunCall, ToolCallStore } from '../sessions/tool-call-store.ts'
import { isToolPart, type MessagePart, readJson } from '../sessions/turn-message.ts'
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

/** Ends what dead processes left, and calls the `after` hooks that they owe. */
export class TurnRecovery {
  readonly #parts: RecoveryParts
  readonly #ownProcess: string
  #calling: Promise<void> | undefined
  #closing = false

  /** @param ownProcess Turns of this process are never touched. */
  constructor(parts: RecoveryParts, ownProcess: string) {
    this.#parts = parts
    this.#ownProcess = ownProcess
  }

  /**
   * Ends the turns that a dead process left running; those that no plugin had admitted yet are taken back.
   *
   * @param deadBefore Turns without a sign of life since then (milliseconds since 1970) count as left.
   * @returns the ids of those that are now marked `interrupted`
   */
  async endLeft(deadBefore: number): Promise<string[]> {
    const left = await this.#parts.storage.read
      .selectFrom('core_turns')
      .selectAll()
      .where('hooks_called', '=', sql.lit(0))
      .where('status', '=', 'running')
      .where('heartbeat_at', '<=', deadBefore)
      .where('process_id', '!=', this.#ownProcess)
      .execute()
    const interrupted: string[] = []
    for (const turn of left.map(turnRowOf)) {
      if (!turn.admitted) {
        await this.#parts.turns.withdraw({ turnId: turn.id, actor: turn.actor, sessionId: turn.sessionId })
      } else if (await interruptTurn(this.#parts, turn, deadBefore)) interrupted.push(turn.id)
    }
    return interrupted
  }

  /** Calls the `after` hooks of turns that had ended by then, or are named, without it; in the background. */
  callOwedHooks(endedBefore: number, turnIds: readonly string[]): void {
    if (!this.#parts.hooks.hasAfter || this.#closing) return
    this.#calling ??= this.#callOwed(endedBefore, turnIds)
      .catch(error => this.#parts.log.warn('hooks of earlier turns could not be called', { error }))
      .finally(() => {
        this.#calling = undefined
      })
  }

  /** Calls no more hooks, and waits for the one under way. */
  async close(): Promise<void> {
    this.#closing = true
    await this.#calling
  }

  async #callOwed(endedBefore: number, turnIds: readonly string[]): Promise<void> {
    const { storage, hooks, turns } = this.#parts
    const rows = await storage.read
      .selectFrom('core_turns')
      .selectAll()
      .where('hooks_called', '=', sql.lit(0))
      .where('status', '!=', 'running')
      .where(turn =>
        turn.or([turn('ended_at', '<=', endedBefore), ...(turnIds.length > 0 ? [turn('id', 'in', turnIds)] : [])]),
      )
      .where('process_id', '!=', this.#ownProcess)
      .execute()
    for (const { id, actor, sessionId, text, channel, startedAt, status, usage } of rows.map(turnRowOf)) {
      if (this.#closing) return
      const outcome = status === 'running' ? 'interrupted' : status
      await hooks.after(
        { id, actor, sessionId, text, channel, startedAt },
        { outcome, usage, complete: outcome !== 'interrupted' },
      )
      await turns.markHooksCalled(id)
    }
  }
}

const interruptTurn = async (parts: RecoveryParts, turn: TurnRow, deadBefore: number): Promise<boolean> => {
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
  const known = new Set(answer.map(part => part.toolCallId))
  const questions = new Set(asked.map(({ toolCallId }) => toolCallId))
  return [
    ...answer.map(part => (isToolPart(part) && questions.has(part.toolCallId) ? calls.get(part.toolCallId)! : part)),
    ...[...calls.values()].filter(({ toolCallId }) => !known.has(toolCallId)),
  ]
}

/** A call whose question is open. */
interface AskedCall {
  readonly id: string
  readonly toolCallId: string
  readonly tool: string
  readonly input: JsonValue
}

const openApprovals = async (parts: RecoveryParts, turn: TurnRow): Promise<Map<string, AskedCall>> => {
  const rows = await parts.storage.read
    .selectFrom('core_approvals')
    .select(['id', 'tool_call_id', 'tool', 'input'])
    .where('turn_id', '=', turn.id)
    .where('state', '=', 'open')
    .execute()
  return new Map(
    rows.map(({ id, tool_call_id: toolCallId, tool, input }) => [
      toolCallId,
      { id, toolCallId, tool, input: readJson<JsonValue>(input, null) },
    ]),
  )
}
