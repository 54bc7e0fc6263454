import type { JsonObject, JsonValue, QuestionData } from '@sibyl/protocol'
import { type Storage, sql } from '@sibyl/storage'
import type { TurnHookRunner } from '../agent/turn-hooks.ts'
import type { Logger } from '../logging/logger.ts'
import type { CoreTables } from '../sessions/core-tables.ts'
import { sharedTime } from '../sessions/shared-time.ts'
import type { BegunCall, ToolCallStore } from '../sessions/tool-call-store.ts'
import { isToolPart, type MessagePart, readJson } from '../sessions/turn-message.ts'
import type { ToolCounts } from '../sessions/turn-records.ts'
import { type TurnRow, type TurnStore, turnRowOf } from '../sessions/turn-store.ts'
import { endingOf, settleParts } from '../stream/settle-parts.ts'
import { judgeOf, vanishedAfterMs } from './dead-processes.ts'

/** What recovery rests on. */
export interface RecoveryParts {
  readonly storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write' | 'processes'>
  readonly turns: TurnStore
  readonly toolCalls: ToolCallStore
  readonly hooks: TurnHookRunner
  /** The model of now, for turns of before its name was kept. */
  readonly modelName: string
  readonly log: Logger
  readonly now: () => number
  /** Whether a turn is this process's own to end. */
  readonly runsHere: (turnId: string) => boolean
}

/** Ends what dead processes left, and calls the `after` hooks that they owe. */
export class TurnRecovery {
  readonly #parts: RecoveryParts
  #recovering: Promise<number> | undefined
  #calling: Promise<void> | undefined
  #closing = false

  constructor(parts: RecoveryParts) {
    this.#parts = parts
  }

  /**
   * Before the first request of the only process of a database: ends all that was left.
   *
   * @returns how many turns are now marked `interrupted`
   */
  async recoverAll(): Promise<number> {
    return this.#recover(() => 'vanished', undefined)
  }

  /** Ends what dead processes left, if any; calls that come while one runs share it. */
  recoverDead(): Promise<number> {
    this.#recovering ??= this.#recoverDead().finally(() => {
      this.#recovering = undefined
    })
    return this.#recovering
  }

  /** Calls no more hooks, and waits for the one under way. */
  async close(): Promise<void> {
    this.#closing = true
    await this.#calling
  }

  async #recoverDead(): Promise<number> {
    const { processes } = this.#parts.storage
    if (processes.steadyForMs < vanishedAfterMs) return 0
    const ids = [...(await this.#left(vanishedAfterMs)), ...(await this.#owed(vanishedAfterMs))]
    if (ids.length === 0) return 0
    const judge = await judgeOf(
      processes,
      ids.map(({ processId }) => processId),
    )
    return this.#recover(judge, vanishedAfterMs)
  }

  /** @param silentForMs Turns that spoke within this time are let be. */
  async #recover(judge: Judge, silentForMs: number | undefined): Promise<number> {
    const { turns, storage, runsHere } = this.#parts
    let interrupted = 0
    for (const turn of await this.#left(silentForMs)) {
      const isOwn = turn.processId === storage.processes.ownId
      if (isOwn ? runsHere(turn.id) : judge(turn) === 'alive') continue
      if (!turn.admitted || (isOwn && !turn.wasFollowed)) {
        await turns.withdraw({ turnId: turn.id, actor: turn.actor, sessionId: turn.sessionId })
      } else if (await interruptTurn(this.#parts, turn, silentForMs)) interrupted += 1
    }
    this.#callOwedHooks(judge, silentForMs)
    return interrupted
  }

  #callOwedHooks(judge: Judge, endedForMs: number | undefined): void {
    const { hooks, log } = this.#parts
    if (!hooks.hasAfter || this.#closing) return
    this.#calling ??= this.#callOwed(judge, endedForMs)
      .catch(error => log.warn('hooks of earlier turns could not be called', { error }))
      .finally(() => {
        this.#calling = undefined
      })
  }

  async #callOwed(judge: Judge, endedForMs: number | undefined): Promise<void> {
    const { hooks, turns, storage, modelName } = this.#parts
    const { ownId } = storage.processes
    for (const turn of await this.#owed(endedForMs)) {
      if (this.#closing) return
      const verdict = judge(turn)
      const isOwed = verdict === 'vanished' || (verdict === 'hung' && turn.status === 'interrupted')
      if (turn.processId === ownId || !isOwed) continue
      if (!(await turns.takeOverHooks(turn.id, turn.processId, ownId))) continue
      const { id, actor, sessionId, text, channel, startedAt, status, usage, tools } = turn
      const model = turn.model ?? modelName
      const outcome = status === 'running' ? 'interrupted' : status
      await hooks.after(
        { id, actor, sessionId, text, channel, startedAt },
        { outcome, usage, model, tools, complete: outcome !== 'interrupted' },
      )
      await turns.markHooksCalled(id)
    }
  }

  /** Turns that run, and gave no sign of life for a while. */
  async #left(silentForMs: number | undefined): Promise<TurnRow[]> {
    const rows = await this.#open().where('status', '=', 'running').execute()
    return rows.map(turnRowOf).filter(({ silentMs }) => silentForMs === undefined || silentMs > silentForMs)
  }

  /** Turns that have ended, whose hooks were not called. */
  async #owed(silentForMs: number | undefined): Promise<TurnRow[]> {
    if (!this.#parts.hooks.hasAfter) return []
    const rows = await this.#open().where('status', '!=', 'running').execute()
    return rows.map(turnRowOf).filter(({ silentMs }) => silentForMs === undefined || silentMs > silentForMs)
  }

  /** The turns with which anything is to be done still. */
  #open() {
    const { storage, now } = this.#parts
    return storage.read
      .selectFrom('core_turns')
      .selectAll()
      .select(sharedTime(storage.engine, now()).as('read_at'))
      .where('hooks_called', '=', sql.lit(0))
  }
}

type Judge = Awaited<ReturnType<typeof judgeOf>>

const interruptTurn = async (
  parts: RecoveryParts,
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

const openApprovals = async (parts: RecoveryParts, turn: TurnRow): Promise<Map<string, AskedCall>> => {
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
