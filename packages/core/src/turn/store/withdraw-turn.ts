import { type FixedStatement, runFixed, sql } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import type { CoreTables } from '../../database/core-tables.ts'
import { countInSessions, countStored } from '../../database/count-stored.ts'
import { storedTurnBytes } from '../../database/stored-bytes-tables.ts'
import { readJson } from '../../database/stored-json.ts'
import { isToolPart, type MessagePart } from '../../sessions/stored-message.ts'
import { type Approval, isBegun } from './approval-store.ts'
import { idempotencyKey } from './tool-call-store.ts'
import type { TurnKey, TurnRow } from './turn.ts'

/** The text for the model about a call whose question was closed. */
const withdrawnReason: Readonly<Record<Approval['kind'], string>> = {
  approval: 'Tool execution denied: the question to the person was closed before it was answered.',
  question:
    'The question of the tool was closed before it was answered, so the call did not continue. Its effects until then are unknown.',
  client: 'The client did not return a result: the call was closed before it was answered.',
  outcome:
    'Outcome unknown: the oracle stopped while this ran, and the question about it was closed before it was answered. Check before you repeat it.',
}

/**
 * Takes the answered questions of a turn up for the one that goes on with it; false when they were withdrawn meanwhile.
 */
export const resumeApprovals = async (
  tx: Transaction<CoreTables>,
  askedTurnId: string,
  turnId: string,
): Promise<boolean> => {
  const taken = await tx
    .updateTable('core_approvals')
    .set({ taken_up_by: turnId })
    .where('turn_id', '=', askedTurnId)
    .where('state', '!=', 'withdrawn')
    .where('taken_up_by', 'is', null)
    .returning('id')
    .execute()
  return taken.length > 0
}

/**
 * Closes the questions of a session that no turn has taken up yet, also those that were answered while others of the
 * same turn were open: their tool calls are kept as refused.
 *
 * @param turnId Those of this turn alone.
 */
export const withdrawApprovals = async (
  tx: Transaction<CoreTables>,
  session: { readonly owner: string; readonly sessionId: string; readonly turnId?: string },
  now: number,
): Promise<void> => {
  let closing = tx
    .updateTable('core_approvals')
    .set({ state: 'withdrawn', decided_at: now })
    .where(eb => eb.and({ owner: session.owner, session_id: session.sessionId }))
    .where('state', '!=', 'withdrawn')
    .where('taken_up_by', 'is', null)
  if (session.turnId !== undefined) closing = closing.where('turn_id', '=', session.turnId)
  const withdrawn = await closing.returning(['id', 'turn_id', 'tool_call_id', 'kind', 'call_turn_id']).execute()
  if (withdrawn.length === 0) return
  const waited = withdrawn.flatMap(({ kind, call_turn_id: callTurnId, turn_id: turnId, tool_call_id: toolCallId }) =>
    isBegun({ kind }) && kind !== 'outcome' ? [idempotencyKey(callTurnId ?? turnId, toolCallId)] : [],
  )
  if (waited.length > 0) {
    await tx
      .updateTable('core_tool_calls')
      .set({ state: 'failed' })
      .where('idempotency_key', 'in', waited)
      .where('state', '=', 'waiting')
      .execute()
  }
  const answers = await tx
    .selectFrom('core_messages')
    .innerJoin('core_turns', join =>
      join
        .onRef('core_turns.owner', '=', 'core_messages.owner')
        .onRef('core_turns.session_id', '=', 'core_messages.session_id')
        .onRef('core_turns.answer_id', '=', 'core_messages.id'),
    )
    .select(['core_messages.id', 'core_messages.parts'])
    .where(
      'core_turns.id',
      'in',
      withdrawn.map(row => row.turn_id),
    )
    .execute()
  for (const answer of answers) {
    const parts = readJson<MessagePart[]>(answer.parts, []).map(part => {
      const approval =
        isToolPart(part) && (part.state === 'approval-requested' || part.state === 'input-available')
          ? withdrawn.find(row => row.tool_call_id === part.toolCallId)
          : undefined
      if (!approval) return part
      return {
        ...part,
        state: 'output-denied',
        approval: { id: approval.id, approved: false, reason: withdrawnReason[approval.kind] },
      }
    })
    await tx
      .updateTable('core_messages')
      .set({ parts: JSON.stringify(parts) })
      .where(eb => eb.and({ owner: session.owner, session_id: session.sessionId, id: answer.id }))
      .execute()
  }
}

/** Withdraws a turn that was never launched, with its message; a session that it created is removed too. */
export const withdrawTurn = async (tx: Transaction<CoreTables>, { id, actor, sessionId }: TurnKey): Promise<void> => {
  await deleteTurn(tx, id)
  await tx.updateTable('core_approvals').set({ taken_up_by: null }).where('taken_up_by', '=', id).execute()
  await tx
    .deleteFrom('core_messages')
    .where(eb => eb.and({ owner: actor.did, session_id: sessionId, turn_id: id }))
    .execute()
  const session = await tx
    .deleteFrom('core_sessions')
    .where(eb => eb.and({ owner: actor.did, id: sessionId, first_turn: id }))
    .returning('bytes')
    .executeTakeFirst()
  if (session) await countStored(tx, [{ did: actor.did, bytes: -Number(session.bytes) }])
  await runFixed(tx, sessionRelease, { owner: actor.did, sessionId, turnId: id })
}

/** Withdraws a turn, and subtracts from its session what it had stored since it was admitted. */
export const withdrawCounted = async (tx: Transaction<CoreTables>, turn: TurnKey): Promise<void> => {
  const { id, actor, sessionId } = turn
  const messages = sql`coalesce((select sum(octet_length(parts) + case role when 'user' then 0 else octet_length(metadata) end)
    from core_messages where owner = ${actor.did} and session_id = ${sessionId} and turn_id = ${id} and id <> core_turns.answer_id), 0)`
  const stored = await tx
    .selectFrom('core_turns')
    .select(sql<number>`octet_length(text) + ${messages} + ${sql.lit(storedTurnBytes)}`.as('bytes'))
    .where(eb => eb.and({ id, admitted: 1 }))
    .executeTakeFirst()
  await withdrawTurn(tx, turn)
  await countInSessions(tx, [{ did: actor.did, sessionId, bytes: -Number(stored?.bytes ?? 0) }])
}

/**
 * Withdraws a turn that no client has seen. It stays if it was admitted since it was read, ended, or is followed in another
 * process.
 */
export const takeBackTurn = async (
  tx: Transaction<CoreTables>,
  turn: TurnKey & Pick<TurnRow, 'admitted'>,
): Promise<void> => {
  // Writes, so that no other process admits, follows or ends it before this transaction ends.
  let unseen = tx
    .updateTable('core_turns')
    .set({ stop_requested: 1 })
    .where(eb => eb.and({ id: turn.id, status: 'running', admitted: turn.admitted ? 1 : 0 }))
  if (turn.admitted) unseen = unseen.where('followed_at', '=', 0)
  if (await unseen.returning('id').executeTakeFirst()) await withdrawCounted(tx, turn)
}

/** Removes the row of a turn, and nothing that it wrote. */
export const deleteTurn = async (tx: Transaction<CoreTables>, id: string): Promise<void> => {
  await tx.deleteFrom('core_turns').where('id', '=', id).execute()
}

type SessionTurn = { readonly owner: string; readonly sessionId: string; readonly turnId: string }

/** Frees a session for the next turn, if this one occupies it. */
const sessionRelease: FixedStatement<CoreTables, SessionTurn, unknown> = (tx, value) =>
  tx
    .updateTable('core_sessions')
    .set({ running_turn: null })
    .where(eb => eb.and({ owner: value('owner'), id: value('sessionId'), running_turn: value('turnId') }))
