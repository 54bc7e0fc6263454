import { createHash } from 'node:crypto'
import type { JsonValue, Outcome } from '@sibyl/protocol'
import type { Storage } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import { type CoreRow, type CoreTables, rowByRow } from '../../database/core-tables.ts'
import { readJson } from '../../database/stored-json.ts'
import { isSettled, isToolPart, type MessagePart } from '../../sessions/stored-message.ts'
import type { StreamEvent } from '../stream/turn-stream.ts'

/** Keeps the intent of every writing tool call before it runs, so that none runs twice. */
export type ToolCallStore = ReturnType<typeof createToolCallStore>

/** A writing call that had begun: `intended` when it is not known how it ended. */
export interface BegunCall {
  readonly toolCallId: string
  readonly tool: string
  readonly input: JsonValue
  readonly state: CoreRow<'core_tool_calls'>['state']
  /** JSON, where it ended well. */
  readonly output: string | undefined
}

/** Makes the store on the app's storage. */
export const createToolCallStore = (storage: Pick<Storage<CoreTables>, 'engine' | 'processes' | 'read' | 'write'>) => ({
  /** Notes that the call is about to run; false when that was noted before, or the turn was ended by another process. */
  async intend(call: {
    readonly idempotencyKey: string
    readonly turnId: string
    readonly toolCallId: string
    readonly tool: string
    readonly input: unknown
    readonly now: number
  }): Promise<boolean> {
    const row = await storage.write(async tx => {
      if (!(await holdRunning(tx, storage, call.turnId))) return undefined
      return tx
        .insertInto('core_tool_calls')
        .values({
          idempotency_key: call.idempotencyKey,
          turn_id: call.turnId,
          tool_call_id: call.toolCallId,
          tool: call.tool,
          input: JSON.stringify(call.input ?? null),
          state: 'intended',
          output: null,
          created_at: call.now,
        })
        .onConflict(conflict => conflict.doNothing())
        .returning('idempotency_key')
        .executeTakeFirst()
    }, rowByRow)
    return row !== undefined
  },
  /**
   * Stores that a call that waits for a person is about to go on with the answer; false when another turn took it up, or the
   * turn was ended by another process.
   */
  async resume({
    idempotencyKey,
    turnId,
  }: {
    readonly idempotencyKey: string
    readonly turnId: string
  }): Promise<boolean> {
    const row = await storage.write(async tx => {
      if (!(await holdRunning(tx, storage, turnId))) return undefined
      return tx
        .updateTable('core_tool_calls')
        .set({ state: 'intended', turn_id: turnId })
        .where(eb => eb.and({ idempotency_key: idempotencyKey, state: 'waiting' }))
        .returning('idempotency_key')
        .executeTakeFirst()
    }, rowByRow)
    return row !== undefined
  },
  /** Notes how it ended, with its output as JSON. */
  async settle(idempotencyKey: string, state: 'done' | 'failed', output?: string): Promise<void> {
    await storage.write(
      tx =>
        tx
          .updateTable('core_tool_calls')
          .set({ state, output: output ?? null })
          .where('idempotency_key', '=', idempotencyKey)
          .execute(),
      rowByRow,
    )
  },
  /** The calls of a turn that had begun, by tool call id. */
  async ofTurn(turnId: string): Promise<Map<string, BegunCall>> {
    const rows = await storage.read
      .selectFrom('core_tool_calls')
      .select(['tool_call_id', 'tool', 'input', 'state', 'output'])
      .where('turn_id', '=', turnId)
      .orderBy('created_at')
      .execute()
    return new Map(
      rows.map(({ tool_call_id: toolCallId, tool, input, state, output }) => [
        toolCallId,
        { toolCallId, tool, input: readJson<JsonValue>(input, null), state, output: output ?? undefined },
      ]),
    )
  },
})

/** Whether a turn runs in this process; no other one ends it, or takes it over, before this transaction is over. */
export const holdRunning = async (
  tx: Transaction<CoreTables>,
  { engine, processes }: Pick<Storage, 'engine' | 'processes'>,
  turnId: string,
): Promise<boolean> => {
  const turn = tx
    .selectFrom('core_turns')
    .select('id')
    .where(eb => eb.and({ id: turnId, status: 'running', process_id: processes.ownId }))
  return (await (engine === 'postgres' ? turn.forShare() : turn).executeTakeFirst()) !== undefined
}

const plainId = /^[\w.:-]{1,128}$/

/**
 * Returns the key of a tool call, also after a restart: its turn and its id. An id that is longer or contains other characters
 * than databases and services accept is hashed.
 */
export const idempotencyKey = (turnId: string, toolCallId: string): string =>
  `${turnId}:${plainId.test(toolCallId) ? toolCallId : createHash('sha256').update(toolCallId).digest('base64url')}`

/** The end of a call that has no result in the message: its output as JSON, done without one, unknown, failed, or never begun. */
export type CallEnding = { readonly output: string } | 'done' | 'unknown' | 'failed' | 'not_run'

/** The text about a call by its ending, for model and person. */
export const endingText: Readonly<Record<Exclude<CallEnding, object>, string>> = {
  unknown: 'Outcome unknown: the oracle stopped while this ran. It was not run again; check before you repeat it.',
  done: 'It took effect, but its result was lost. Do not run it again.',
  // The error was not kept.
  failed: 'Failed: the call ended with an error.',
  not_run: 'No result: the turn ended before this call. It changed nothing.',
}

/** Returns how a writing call ended, by its stored row; undefined stands for a call that had not begun. */
export const endingOf = (call: BegunCall | undefined): CallEnding => {
  if (!call) return 'not_run'
  if (call.state === 'failed') return 'failed'
  if (call.output !== undefined) return { output: call.output }
  return call.state === 'done' ? 'done' : 'unknown'
}

/**
 * Gives every tool call of a message that has no result one that says so, and closes open texts, so that the history
 * is whole for the model.
 *
 * @param waits Whether a person is still to decide about the call: it stays as it is.
 */
export const settleParts = (
  parts: readonly MessagePart[],
  endingOf: (toolCallId: string) => CallEnding,
  waits: (toolCallId: string) => boolean = () => false,
): MessagePart[] =>
  parts.flatMap(part => {
    if (!isToolPart(part)) return [part.state === 'streaming' ? { ...part, state: 'done' } : part]
    if (isSettled(part) || waits(part.toolCallId)) return [part]
    if (part.input === undefined) return []
    const { approval: _, ...rest } = part
    const ending = endingOf(part.toolCallId)
    if (typeof ending === 'object') {
      return [{ ...rest, state: 'output-available', output: readJson<unknown>(ending.output, null) }]
    }
    return [{ ...rest, state: 'output-error', errorText: endingText[ending] }]
  })

/**
 * The events that give every tool call of a turn that ended early its result, so that stream, stored answer and the
 * model's next prompt agree.
 *
 * @param begun The writing calls that had begun; undefined when they are unknown.
 */
export const closeCalls = (
  parts: readonly MessagePart[],
  outcome: Outcome,
  begun: ReadonlyMap<string, BegunCall> | undefined,
): StreamEvent[] =>
  parts.flatMap((part): StreamEvent[] => {
    if (!isToolPart(part) || isSettled(part) || part.input === undefined) return []
    const { toolCallId } = part
    if (part.state === 'approval-requested') {
      return outcome === 'stopped' ? [{ type: 'tool-output-denied', toolCallId }] : []
    }
    const ending = begun ? endingOf(begun.get(toolCallId)) : 'unknown'
    if (typeof ending === 'object') {
      return [{ type: 'tool-output-available', toolCallId, output: readJson<unknown>(ending.output, null) }]
    }
    return [{ type: 'tool-output-error', toolCallId, errorText: endingText[ending] }]
  })
