import type { Transaction } from 'kysely'
import type { CoreTables } from './core-tables.ts'
import { freeSession } from './end-turn.ts'
import type { TurnStart } from './turn-start.ts'

/** Takes back a turn that was never launched, with its message; a session that it made goes too. */
export const withdrawTurn = async (
  tx: Transaction<CoreTables>,
  { turnId, actor, sessionId }: Pick<TurnStart, 'turnId' | 'actor' | 'sessionId'>,
): Promise<void> => {
  await deleteTurn(tx, { turnId })
  await tx.updateTable('core_approvals').set({ taken_up_by: null }).where('taken_up_by', '=', turnId).execute()
  await tx
    .deleteFrom('core_messages')
    .where('owner', '=', actor.did)
    .where('session_id', '=', sessionId)
    .where('turn_id', '=', turnId)
    .execute()
  await tx
    .deleteFrom('core_sessions')
    .where('owner', '=', actor.did)
    .where('id', '=', sessionId)
    .where('first_turn', '=', turnId)
    .execute()
  await freeSession(tx, actor.did, sessionId, turnId)
}

/** A turn to take back, as it was read. */
export type TurnToTakeBack = Pick<TurnStart, 'turnId' | 'actor' | 'sessionId' | 'admitted'>

/**
 * Withdraws a turn that no client has seen. It stays if it was admitted since it was read, ended, or is followed in another
 * process.
 */
export const takeBackTurn = async (tx: Transaction<CoreTables>, turn: TurnToTakeBack): Promise<void> => {
  // Writes, so that no other process admits, follows or ends it until this transaction is over.
  let unseen = tx
    .updateTable('core_turns')
    .set({ stop_requested: 1 })
    .where('id', '=', turn.turnId)
    .where('status', '=', 'running')
    .where('admitted', '=', turn.admitted ? 1 : 0)
  if (turn.admitted) unseen = unseen.where('followed_at', '=', 0)
  if (await unseen.returning('id').executeTakeFirst()) await withdrawTurn(tx, turn)
}

/** Removes the row of a turn, and nothing that it wrote. */
export const deleteTurn = async (tx: Transaction<CoreTables>, { turnId }: Pick<TurnStart, 'turnId'>): Promise<void> => {
  await tx.deleteFrom('core_turns').where('id', '=', turnId).execute()
}
