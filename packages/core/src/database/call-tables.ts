import { column, defineTable } from '@sibyl/storage'

export const toolCalls = defineTable(
  'core_tool_calls',
  {
    idempotency_key: column.text().primaryKey(),
    turn_id: column.text(),
    tool_call_id: column.text(),
    tool: column.text(),
    /** JSON: the input of the tool. */
    input: column.text(),
    /** `waiting`: it asked a question, and runs again with the answer. */
    state: column.text<'intended' | 'waiting' | 'done' | 'failed'>(),
    /** JSON: the result, if known. */
    output: column.text().nullable(),
    created_at: column.timestamp(),
  },
  { indexes: { core_tool_calls_turn: ['turn_id'] } },
)

export const approvals = defineTable(
  'core_approvals',
  {
    id: column.text().primaryKey(),
    owner: column.text(),
    session_id: column.text(),
    turn_id: column.text(),
    tool_call_id: column.text(),
    tool: column.text(),
    /** JSON: the input of the tool. */
    input: column.text(),
    question: column.text(),
    state: column.text<'open' | 'once' | 'session' | 'deny' | 'withdrawn'>(),
    /** JSON: the data of the decision. */
    data: column.text().nullable(),
    created_at: column.timestamp(),
    decided_at: column.timestamp().nullable(),
    /** The turn that continued with the answer. */
    taken_up_by: column.text().nullable(),
    /** `approval`: whether the call may run. `question`: a question during the call. `client`: the client runs it. */
    kind: column.text<'approval' | 'question' | 'client' | 'outcome'>().default('approval'),
    /** The turn that made the call; null for the one that asked. */
    call_turn_id: column.text().nullable(),
    /** JSON: the JSON Schema of the answer to a question. */
    answer_schema: column.text().nullable(),
    /** JSON: the data of an earlier approval of the call, for a question. */
    approval_data: column.text().nullable(),
    /** The `approvalScope` of the tool at the time of the question. */
    approval_scope: column.text().nullable(),
    /**
     * JSON: the abilities of the tool at the time of the question; a decision requires one of them. Null if it has
     * none.
     */
    abilities: column.text().nullable(),
    /** The only process that can continue the call; null if any can. */
    held_by: column.text().nullable(),
    /** JSON: the Actor who decided; null in old rows. */
    decided_by: column.text().nullable(),
    /** The reason of the decision, given by the user. */
    decision_reason: column.text().nullable(),
  },
  {
    indexes: {
      core_approvals_age: { columns: ['created_at', 'id'], where: "state = 'open' and kind != 'client'" },
      core_approvals_client: { columns: ['created_at'], where: "kind = 'client' and state = 'open'" },
      core_approvals_pending: { columns: ['owner', 'created_at', 'id'], where: "state = 'open' and kind != 'client'" },
      core_approvals_session: ['owner', 'session_id', 'state'],
    },
  },
)
