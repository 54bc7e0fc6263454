import type { JsonValue } from '@sibyl/protocol'
import type { Storage } from '@sibyl/storage'
import type { CoreTables } from './core-tables.ts'
import { readJson, storable } from './turn-message.ts'

/** A person's answer to an approval question. */
export type Decision = 'once' | 'session' | 'deny'

/** A question that waits, or waited, for a person. */
export interface Approval {
  readonly id: string
  readonly turnId: string
  readonly sessionId: string
  readonly toolCallId: string
  readonly tool: string
  readonly input: JsonValue
  readonly question: string
  readonly state: 'open' | Decision | 'withdrawn'
  readonly data: JsonValue | undefined
}

/** Keeps approval questions and their answers. */
export interface ApprovalStore {
  open(owner: string, approval: Omit<Approval, 'state' | 'data'>, now: number): Promise<void>
  /**
   * Answers an open question, once; the answer that stands comes back either way, with the whole turn's questions.
   * `undefined` when there is no such question of that owner.
   */
  decide(
    owner: string,
    id: string,
    decision: Decision,
    data: JsonValue | undefined,
    now: number,
  ): Promise<
    { readonly decidedNow: boolean; readonly approval: Approval; readonly ofTurn: readonly Approval[] } | undefined
  >
  find(owner: string, id: string): Promise<Approval | undefined>
}

/** Makes the store on the app's storage. */
export const createApprovalStore = (storage: Pick<Storage<CoreTables>, 'read' | 'write'>): ApprovalStore => ({
  async open(owner, approval, now) {
    await storage.write(tx =>
      tx
        .insertInto('core_approvals')
        .values({
          id: approval.id,
          owner,
          session_id: approval.sessionId,
          turn_id: approval.turnId,
          tool_call_id: approval.toolCallId,
          tool: approval.tool,
          input: JSON.stringify(approval.input),
          question: storable(approval.question),
          state: 'open',
          data: null,
          created_at: now,
          decided_at: null,
          taken_up_by: null,
        })
        .execute(),
    )
  },
  decide: (owner, id, decision, data, now) =>
    storage.write(async tx => {
      const decided = await tx
        .updateTable('core_approvals')
        .set({ state: decision, data: data === undefined ? null : JSON.stringify(data), decided_at: now })
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('state', '=', 'open')
        .returningAll()
        .executeTakeFirst()
      const row =
        decided ??
        (await tx
          .selectFrom('core_approvals')
          .selectAll()
          .where('id', '=', id)
          .where('owner', '=', owner)
          .executeTakeFirst())
      if (!row) return undefined
      if (decided && decision === 'session') {
        const session = await tx
          .selectFrom('core_sessions')
          .select('approved_tools')
          .where('owner', '=', owner)
          .where('id', '=', row.session_id)
          .executeTakeFirst()
        const tools = new Set([...readJson<string[]>(session?.approved_tools ?? null, []), row.tool])
        await tx
          .updateTable('core_sessions')
          .set({ approved_tools: JSON.stringify([...tools]) })
          .where('owner', '=', owner)
          .where('id', '=', row.session_id)
          .execute()
      }
      const rows = await tx.selectFrom('core_approvals').selectAll().where('turn_id', '=', row.turn_id).execute()
      return { decidedNow: decided !== undefined, approval: approvalOf(row), ofTurn: rows.map(approvalOf) }
    }),
  async find(owner, id) {
    const row = await storage.read
      .selectFrom('core_approvals')
      .selectAll()
      .where('id', '=', id)
      .where('owner', '=', owner)
      .executeTakeFirst()
    return row && approvalOf(row)
  },
})

const approvalOf = (row: CoreTables['core_approvals']): Approval => ({
  id: row.id,
  turnId: row.turn_id,
  sessionId: row.session_id,
  toolCallId: row.tool_call_id,
  tool: row.tool,
  input: readJson<JsonValue>(row.input, null),
  question: row.question,
  state: row.state,
  data: row.data === null ? undefined : readJson<JsonValue>(row.data, null),
})
