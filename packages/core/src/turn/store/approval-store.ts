import type { Actor } from '@sibyl/plugin'
import type { JsonObject, JsonValue } from '@sibyl/protocol'
import { type Storage, sql } from '@sibyl/storage'
import type { CoreRow, CoreTables } from '../../database/core-tables.ts'
import { countInSessions } from '../../database/count-stored.ts'
import { readJson, storable } from '../../database/stored-json.ts'
import { holdRunning } from './tool-call-store.ts'

/** A person's answer to an approval question. */
export type ApprovalDecision = 'once' | 'session' | 'deny'

/** The data and the reason of a decision. */
export interface GivenWithDecision {
  /** The answer to the tool's question. */
  readonly data?: JsonValue | undefined
  readonly reason?: string | undefined
}

/** A question that waits, or waited, for a person. */
export interface Approval {
  readonly id: string
  readonly turnId: string
  readonly sessionId: string
  readonly toolCallId: string
  readonly tool: string
  /** The tool's `approvalScope` when the person was asked. */
  readonly scope?: string | undefined
  /** The abilities of which the tool needs one. @default none */
  readonly abilities?: readonly string[] | undefined
  readonly input: JsonValue
  /**
   * `approval`: whether the call may run. `question`: what it asked in the midst of its work. `client`: the client runs it.
   * `outcome`: whether it took effect before its process ended.
   */
  readonly kind: 'approval' | 'question' | 'client' | 'outcome'
  /** The turn that made the call. */
  readonly callTurnId: string
  readonly question: string
  /** Of a question: what an answer looks like, as JSON Schema of an object. */
  readonly schema?: JsonObject | undefined
  /** Of a question: what the person gave when they approved the call before. */
  readonly approvalData?: JsonValue | undefined
  /** Of a question: the process in which alone the call can go on. */
  readonly heldBy?: string | undefined
  readonly state: 'open' | ApprovalDecision | 'withdrawn'
  readonly data: JsonValue | undefined
  /** Why the person decided so, in their words. */
  readonly reason?: string | undefined
  readonly decidedBy?: Actor | undefined
  /** Milliseconds since 1970. */
  readonly askedAt: number
  readonly decidedAt?: number | undefined
}

/** A question to be asked. */
export type NewApproval = Omit<Approval, 'state' | 'data' | 'reason' | 'decidedBy' | 'askedAt' | 'decidedAt'> & {
  /** The idempotency key of the call that waits for the answer. */
  readonly waits?: string | undefined
}

/** Returns whether a call waits that has begun: for an answer, for the result of the client, or for what became of it. */
export const isBegun = ({ kind }: Pick<Approval, 'kind'>): boolean => kind !== 'approval'

/** Makes the store on the app's storage. */
export const createApprovalStore = (storage: Pick<Storage<CoreTables>, 'engine' | 'processes' | 'read' | 'write'>) => ({
  /**
   * Stores a question; false when another process ended its turn. With it the call that waits for the answer is stored,
   * where it is a writing one.
   */
  open: (owner: string, approval: NewApproval, now: number): Promise<boolean> =>
    storage.write(async tx => {
      if (!(await holdRunning(tx, storage, approval.turnId))) return false
      if (approval.waits !== undefined) {
        await tx
          .updateTable('core_tool_calls')
          .set({ state: 'waiting' })
          .where('idempotency_key', '=', approval.waits)
          .where('state', '=', 'intended')
          .execute()
      }
      await tx
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
          kind: approval.kind,
          call_turn_id: approval.callTurnId,
          answer_schema: approval.schema === undefined ? null : JSON.stringify(approval.schema),
          approval_scope: approval.scope ?? null,
          abilities: approval.abilities === undefined ? null : JSON.stringify(approval.abilities),
          approval_data: approval.approvalData === undefined ? null : JSON.stringify(approval.approvalData),
          held_by: approval.heldBy ?? null,
          decided_by: null,
          decision_reason: null,
        })
        .execute()
      const { sessionId, input, question, schema } = approval
      await countInSessions(tx, [{ did: owner, sessionId, bytes: jsonBytes({ input, question, schema }) }])
      return true
    }),
  /**
   * Answers an open question, once; the answer that stands comes back either way, with the whole turn's questions.
   * `undefined` when there is no such question of that owner.
   */
  decide: (
    actor: Actor,
    id: string,
    decision: ApprovalDecision,
    { data, reason }: GivenWithDecision,
    now: number,
  ): Promise<
    { readonly decidedNow: boolean; readonly approval: Approval; readonly ofTurn: readonly Approval[] } | undefined
  > =>
    storage.write(async tx => {
      const owner = actor.did
      const decided = await tx
        .updateTable('core_approvals')
        .set({
          state: decision,
          data: data === undefined ? null : JSON.stringify(data),
          decided_at: now,
          decided_by: JSON.stringify(actor),
          decision_reason: reason === undefined ? null : storable(reason),
        })
        .where(eb => eb.and({ id, owner, state: 'open' }))
        .returningAll()
        .executeTakeFirst()
      const row = decided ?? (await approvals(tx).where('id', '=', id).where('owner', '=', owner).executeTakeFirst())
      if (!row) return undefined
      if (decided) {
        await countInSessions(tx, [{ ...actor, sessionId: row.session_id, bytes: jsonBytes({ data, reason }) }])
      }
      if (decided && decision === 'session' && row.kind === 'approval') {
        const session = await tx
          .selectFrom('core_sessions')
          .select('approved_tools')
          .where(eb => eb.and({ owner, id: row.session_id }))
          .executeTakeFirst()
        const tools = new Set([
          ...readJson<string[]>(session?.approved_tools ?? null, []),
          approvedName(row.tool, row.approval_scope ?? undefined),
        ])
        await tx
          .updateTable('core_sessions')
          .set({ approved_tools: JSON.stringify([...tools]) })
          .where(eb => eb.and({ owner, id: row.session_id }))
          .execute()
      }
      const rows = await approvals(tx).where('turn_id', '=', row.turn_id).execute()
      return { decidedNow: decided !== undefined, approval: approvalOf(row), ofTurn: rows.map(approvalOf) }
    }),
  async find(owner: string, id: string): Promise<Approval | undefined> {
    const row = await approvals(storage.read).where('id', '=', id).where('owner', '=', owner).executeTakeFirst()
    return row && approvalOf(row)
  },
  /** The open questions of a session. */
  async openOf(owner: string, sessionId: string): Promise<readonly Approval[]> {
    const rows = await approvals(storage.read)
      .where(eb => eb.and({ owner, session_id: sessionId, state: 'open' }))
      .orderBy('created_at')
      .execute()
    return rows.map(approvalOf)
  },
  /** The calls of clients that were asked for before a time and have no result, oldest first. */
  async lateClientCalls(before: number, limit: number): Promise<readonly Pick<Approval, 'id' | 'turnId' | 'tool'>[]> {
    const rows = await storage.read
      .selectFrom('core_approvals')
      .select(['id', 'turn_id', 'tool'])
      .where('kind', '=', sql.lit('client'))
      .where('state', '=', sql.lit('open'))
      .where('created_at', '<', before)
      .orderBy('created_at')
      .limit(limit)
      .execute()
    return rows.map(({ id, turn_id: turnId, tool }) => ({ id, turnId, tool }))
  },
  /** All questions of a turn. */
  async ofTurn(turnId: string): Promise<readonly Approval[]> {
    const rows = await approvals(storage.read).where('turn_id', '=', turnId).execute()
    return rows.map(approvalOf)
  },
})

/** Keeps approval questions and their answers. */
export type ApprovalStore = ReturnType<typeof createApprovalStore>

const jsonBytes = (value: object): number => Buffer.byteLength(JSON.stringify(value))

const approvals = (db: Pick<Storage<CoreTables>['read'], 'selectFrom'>) => db.selectFrom('core_approvals').selectAll()

const approvalOf = (row: CoreRow<'core_approvals'>): Approval => ({
  id: row.id,
  turnId: row.turn_id,
  sessionId: row.session_id,
  toolCallId: row.tool_call_id,
  tool: row.tool,
  scope: row.approval_scope ?? undefined,
  abilities: read<string[]>(row.abilities, []),
  input: readJson<JsonValue>(row.input, null),
  kind: row.kind,
  callTurnId: row.call_turn_id ?? row.turn_id,
  question: row.question,
  schema: read<JsonObject>(row.answer_schema, {}),
  approvalData: read<JsonValue>(row.approval_data, null),
  state: row.state,
  heldBy: row.held_by ?? undefined,
  data: read<JsonValue>(row.data, null),
  reason: row.decision_reason ?? undefined,
  decidedBy: read<Actor | undefined>(row.decided_by, undefined),
  askedAt: Number(row.created_at),
  decidedAt: row.decided_at === null ? undefined : Number(row.decided_at),
})

const read = <Value>(json: string | null, invalid: Value): Value | undefined =>
  json === null ? undefined : readJson<Value>(json, invalid)

/** Returns how an approval for the session is stored: the name of the tool, and its approval scope where it has one. */
export const approvedName = (tool: string, scope: string | undefined): string =>
  scope === undefined ? tool : `${tool} ${scope}`
