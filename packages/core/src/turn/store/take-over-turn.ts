import { sql } from '@sibyl/storage'
import type { ExpressionBuilder, Transaction } from 'kysely'
import type { CoreTables, SharedTime } from '../../database/core-tables.ts'
import { countInSessions } from '../../database/count-stored.ts'
import type { StoredTurn } from './running-turn.ts'
import type { TurnRow } from './turn.ts'
import { withdrawApprovals } from './withdraw-turn.ts'

/** A turn whose process is gone, and what stays of it. */
export interface TurnToTakeOver extends StoredTurn {
  readonly turn: Pick<TurnRow, 'id' | 'owner' | 'sessionId' | 'answerId' | 'processId'>
  /** Set where it is left as it is if it gave a sign of life within so many milliseconds. */
  readonly silentForMs: number | undefined
  /** The step of the checkpoint begins again: what its calls asked is withdrawn. */
  readonly repeatsStep: boolean
  readonly now: number
}

/**
 * Makes a process the one that runs a turn, and deletes what was stored after its checkpoint. From then on its former process
 * stores nothing of it, should it still be there.
 */
export const takeOverTurn = async (
  tx: Transaction<CoreTables>,
  { turn, silentForMs, repeatsStep, events, parts, checkpoint, now }: TurnToTakeOver,
  ownId: string,
  at: SharedTime,
): Promise<boolean> => {
  const { id, owner, sessionId, answerId, processId } = turn
  let taking = tx
    .updateTable('core_turns')
    .set({ process_id: ownId, heartbeat_at: at, checkpoint: JSON.stringify(checkpoint) })
    .where(eb => eb.and({ id, status: 'running', process_id: processId }))
  if (silentForMs !== undefined)
    taking = taking.where('heartbeat_at', '<=', sql<number>`${at} - ${sql.lit(silentForMs)}`)
  if (!(await taking.returning('id').executeTakeFirst())) return false
  if (repeatsStep) await withdrawApprovals(tx, { owner, sessionId, turnId: id }, now)
  const last = events.at(-1)?.id ?? 0
  const stored = await tx.selectFrom('core_turn_events').selectAll().where('turn_id', '=', id).execute()
  for (const { first_id: firstId, body } of stored) {
    const lines = body.split('\n')
    const kept = lines.slice(0, Math.max(0, last + 1 - firstId)).join('\n')
    if (kept.length === body.length) continue
    const isThis = (eb: ExpressionBuilder<CoreTables, 'core_turn_events'>) => eb.and({ turn_id: id, first_id: firstId })
    if (kept === '') await tx.deleteFrom('core_turn_events').where(isThis).execute()
    else await tx.updateTable('core_turn_events').set({ body: kept }).where(isThis).execute()
  }
  const isAnswer = (eb: ExpressionBuilder<CoreTables, 'core_messages'>) =>
    eb.and({ owner, session_id: sessionId, id: answerId })
  const before = await tx.selectFrom('core_messages').select(['parts', 'turn_id']).where(isAnswer).executeTakeFirst()
  const json = JSON.stringify(parts)
  if (before && before.parts !== json) {
    await tx.updateTable('core_messages').set({ parts: json }).where(isAnswer).execute()
    // What the turn stored itself counts at its end.
    const bytes = before.turn_id === id ? 0 : Buffer.byteLength(json) - Buffer.byteLength(before.parts)
    await countInSessions(tx, [{ did: owner, sessionId, bytes }])
  }
  return true
}
