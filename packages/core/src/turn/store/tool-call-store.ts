import { createHash } from 'node:crypto'
import type { JsonValue } from '@sibyl/protocol'
import type { Storage } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import { type CoreRow, type CoreTables, rowByRow } from '../../database/core-tables.ts'
import { readJson } from '../../database/stored-json.ts'

/** Keeps the intent of every writing tool call before it runs, so that none runs twice. */
export interface ToolCallStore {
  /** Notes that the call is about to run; false when that was noted before, or the turn was ended by another process. */
  intend(call: {
    readonly idempotencyKey: string
    readonly turnId: string
    readonly toolCallId: string
    readonly tool: string
    readonly input: unknown
    readonly now: number
  }): Promise<boolean>
  /**
   * Stores that a call that waits for a person is about to go on with the answer; false when another turn took it up, or the
   * turn was ended by another process.
   */
  resume(call: { readonly idempotencyKey: string; readonly turnId: string }): Promise<boolean>
  /** Notes how it ended, with its output as JSON. */
  settle(idempotencyKey: string, state: 'done' | 'failed', output?: string): Promise<void>
  /** The calls of a turn that had begun, by tool call id. */
  ofTurn(turnId: string): Promise<Map<string, BegunCall>>
}

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
export const createToolCallStore = (
  storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>,
): ToolCallStore => ({
  async intend(call) {
    const row = await storage.write(async tx => {
      if (!(await holdRunning(tx, storage.engine, call.turnId))) return undefined
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
  async resume({ idempotencyKey, turnId }) {
    const row = await storage.write(async tx => {
      if (!(await holdRunning(tx, storage.engine, turnId))) return undefined
      return tx
        .updateTable('core_tool_calls')
        .set({ state: 'intended', turn_id: turnId })
        .where('idempotency_key', '=', idempotencyKey)
        .where('state', '=', 'waiting')
        .returning('idempotency_key')
        .executeTakeFirst()
    }, rowByRow)
    return row !== undefined
  },
  async settle(idempotencyKey, state, output) {
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
  async ofTurn(turnId) {
    const rows = await storage.read
      .selectFrom('core_tool_calls')
      .select(['tool_call_id', 'tool', 'input', 'state', 'output'])
      .where('turn_id', '=', turnId)
      .execute()
    return new Map(
      rows.map(({ tool_call_id: toolCallId, tool, input, state, output }) => [
        toolCallId,
        { toolCallId, tool, input: readJson<JsonValue>(input, null), state, output: output ?? undefined },
      ]),
    )
  },
})

/** Whether a turn runs; no other process ends it before this transaction is over. */
export const holdRunning = async (
  tx: Transaction<CoreTables>,
  engine: Storage['engine'],
  turnId: string,
): Promise<boolean> => {
  const turn = tx.selectFrom('core_turns').select('id').where('id', '=', turnId).where('status', '=', 'running')
  return (await (engine === 'postgres' ? turn.forShare() : turn).executeTakeFirst()) !== undefined
}

const plainId = /^[\w.:-]{1,128}$/

/**
 * Returns the key of a tool call, also after a restart: its turn and its id. An id that is longer or contains other characters
 * than databases and services accept is hashed.
 */
export const idempotencyKey = (turnId: string, toolCallId: string): string =>
  `${turnId}:${plainId.test(toolCallId) ? toolCallId : createHash('sha256').update(toolCallId).digest('base64url')}`
