import { type FixedStatement, runFixed, sql } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import { addTokenUsage } from '../../budgets/token-usage-store.ts'
import { type CoreTables, type SharedTime, sharedTime } from '../../database/core-tables.ts'
import { nextPosition } from '../../sessions/session-store.ts'
import { insertTiming } from '../../timings/turn-timings.ts'
import type { EndRecord, ProgressRecord, ProgressReply, ToolCounts, TurnKey, TurnRow } from './turn.ts'
import { withdrawApprovals } from './withdraw-approvals.ts'

/** Stores events and the answer so far of a running turn, and reads requests of other processes. */
export const progressTurn = async (
  tx: Transaction<CoreTables>,
  record: ProgressRecord,
  at: SharedTime,
): Promise<ProgressReply> => {
  const row = await tx
    .updateTable('core_turns')
    .set({
      heartbeat_at: at,
      usage: JSON.stringify(record.usage),
      tools: toolsJson(record.tools),
      ...(record.hasReader ? { reader_seen_at: at } : {}),
    })
    .where('id', '=', record.turnId)
    .where('status', '=', 'running')
    .returning(['stop_requested', 'heartbeat_at', 'followed_at'])
    .executeTakeFirst()
  if (!row) return { stop: true, unfollowedMs: Number.POSITIVE_INFINITY }
  await upsertAnswer(tx, record)
  await upsertEvents(tx, record)
  return { stop: row.stop_requested === 1, unfollowedMs: Number(row.heartbeat_at) - Number(row.followed_at) }
}

/** Stores the end of a turn and frees its session; false when another process ended the turn, or it was deleted. */
export const endTurn = async (tx: Transaction<CoreTables>, record: EndRecord, at: SharedTime): Promise<boolean> => {
  let ending = tx
    .updateTable('core_turns')
    .set({
      status: record.status,
      code: record.code ?? null,
      usage: JSON.stringify(record.usage),
      tools: toolsJson(record.tools),
      hooks_called: record.hooksCalled ? 1 : 0,
      ended_at: at,
    })
    .where('id', '=', record.turnId)
    .where('status', '=', 'running')
  const silentForMs = record.left?.silentForMs
  if (silentForMs !== undefined)
    ending = ending.where('heartbeat_at', '<=', sql<number>`${at} - ${sql.lit(silentForMs)}`)
  const ended = await ending.returning(['holder', 'origin']).executeTakeFirst()
  if (!ended) return wasStored(tx, record)
  await upsertAnswer(tx, record)
  await upsertEvents(tx, record)
  if (record.status === 'stopped') await withdrawApprovals(tx, record, record.now)
  await runFixed(tx, sessionRelease, { owner: record.owner, sessionId: record.sessionId, turnId: record.turnId })
  if (record.timing) await insertTiming(tx, record, record.timing)
  // Last: all turns of a holder contend for this row.
  const { usage, now } = record
  await addTokenUsage(tx, { holder: ended.holder ?? record.owner, origin: ended.origin, usage, now })
  return true
}

const toolsJson = (tools: ToolCounts): string | null => (Object.keys(tools).length > 0 ? JSON.stringify(tools) : null)

/**
 * Returns whether this end was stored by an earlier try with an unknown outcome. Other processes can end a turn only as
 * left.
 */
const wasStored = async (tx: Transaction<CoreTables>, record: EndRecord): Promise<boolean> => {
  if (record.left) return false
  const row = await tx.selectFrom('core_turns').select('status').where('id', '=', record.turnId).executeTakeFirst()
  return row?.status === record.status
}

type SessionTurn = { readonly owner: string; readonly sessionId: string; readonly turnId: string }

/** Frees a session for the next turn, if this one occupies it. */
const sessionRelease: FixedStatement<CoreTables, SessionTurn, unknown> = (tx, value) =>
  tx
    .updateTable('core_sessions')
    .set({ running_turn: null })
    .where('owner', '=', value('owner'))
    .where('id', '=', value('sessionId'))
    .where('running_turn', '=', value('turnId'))

const upsertAnswer = async (tx: Transaction<CoreTables>, record: ProgressRecord | EndRecord): Promise<void> => {
  if (!record.answer || record.answer.parts.length === 0) return
  const { owner, sessionId, turnId, answer, now } = record
  const [parts, metadata] = [JSON.stringify(answer.parts), JSON.stringify(answer.metadata)]
  await runFixed(tx, answerUpsert, { owner, sessionId, id: answer.id, parts, metadata, turnId, now })
}

type StoredAnswer = SessionTurn & Readonly<Record<'id' | 'parts' | 'metadata', string>> & { readonly now: number }

const answerUpsert: FixedStatement<CoreTables, StoredAnswer, unknown> = (tx, value) =>
  tx
    .insertInto('core_messages')
    .values({
      owner: value('owner'),
      session_id: value('sessionId'),
      id: value('id'),
      position: nextPosition(value('owner'), value('sessionId')),
      role: 'assistant',
      parts: value('parts'),
      metadata: value('metadata'),
      turn_id: value('turnId'),
      created_at: value('now'),
    })
    .onConflict(conflict =>
      conflict
        .columns(['owner', 'session_id', 'id'])
        .doUpdateSet({ parts: value('parts'), metadata: value('metadata') }),
    )

/** Writes a batch of events; a batch that was stored before without confirmation is replaced. */
const upsertEvents = async (tx: Transaction<CoreTables>, record: ProgressRecord | EndRecord): Promise<void> => {
  if (record.events) await runFixed(tx, eventsUpsert, { ...record.events, turnId: record.turnId, now: record.now })
}

type StoredEvents = NonNullable<ProgressRecord['events']> & { readonly turnId: string; readonly now: number }

const eventsUpsert: FixedStatement<CoreTables, StoredEvents, unknown> = (tx, value, engine) =>
  tx
    .insertInto('core_turn_events')
    .values({
      turn_id: value('turnId'),
      first_id: value('firstId'),
      body: value('body'),
      created_at: sharedTime(engine, value('now')),
    })
    .onConflict(conflict => conflict.columns(['turn_id', 'first_id']).doUpdateSet({ body: value('body') }))

/** Withdraws a turn that was never launched, with its message; a session that it created is removed too. */
export const withdrawTurn = async (tx: Transaction<CoreTables>, { id, actor, sessionId }: TurnKey): Promise<void> => {
  await deleteTurn(tx, id)
  await tx.updateTable('core_approvals').set({ taken_up_by: null }).where('taken_up_by', '=', id).execute()
  await tx
    .deleteFrom('core_messages')
    .where('owner', '=', actor.did)
    .where('session_id', '=', sessionId)
    .where('turn_id', '=', id)
    .execute()
  await tx
    .deleteFrom('core_sessions')
    .where('owner', '=', actor.did)
    .where('id', '=', sessionId)
    .where('first_turn', '=', id)
    .execute()
  await runFixed(tx, sessionRelease, { owner: actor.did, sessionId, turnId: id })
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
    .where('id', '=', turn.id)
    .where('status', '=', 'running')
    .where('admitted', '=', turn.admitted ? 1 : 0)
  if (turn.admitted) unseen = unseen.where('followed_at', '=', 0)
  if (await unseen.returning('id').executeTakeFirst()) await withdrawTurn(tx, turn)
}

/** Removes the row of a turn, and nothing that it wrote. */
export const deleteTurn = async (tx: Transaction<CoreTables>, id: string): Promise<void> => {
  await tx.deleteFrom('core_turns').where('id', '=', id).execute()
}
