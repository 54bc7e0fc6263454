import type { Transaction } from 'kysely'
import type { CoreTables } from './core-tables.ts'
import { dropAnswers } from './drop-answers.ts'
import { nextPosition } from './end-turn.ts'
import type { TurnStart } from './turn-start.ts'
import { withdrawApprovals } from './withdraw-approvals.ts'

/** Whether an admitted turn could write its message; `gone` when it was taken back meanwhile. */
export type AdmitResult = 'admitted' | 'message_id_taken' | 'gone'

/**
 * Writes what a turn writes first: the user's message, and what that ends. Questions of the session are withdrawn, and an
 * answer that is to be given anew is dropped.
 *
 * @param newSession Whether the session is as new as the turn, and has no questions.
 */
export const writeMessage = async (
  tx: Transaction<CoreTables>,
  start: TurnStart,
  newSession: boolean,
): Promise<Exclude<AdmitResult, 'gone'>> => {
  const owner = start.actor.did
  const { message, regenerate, sessionId, now } = start
  if (message && !(await insertUserMessage(tx, start, message))) return 'message_id_taken'
  if ((message || regenerate) && !newSession) await withdrawApprovals(tx, { owner, sessionId }, now)
  if (regenerate) await dropAnswers(tx, { owner, sessionId, messageId: regenerate.messageId })
  return 'admitted'
}

const insertUserMessage = async (
  tx: Transaction<CoreTables>,
  start: TurnStart,
  message: NonNullable<TurnStart['message']>,
) => {
  const row = await tx
    .insertInto('core_messages')
    .values({
      owner: start.actor.did,
      session_id: start.sessionId,
      id: message.id,
      position: nextPosition(start.actor.did, start.sessionId),
      role: 'user',
      parts: JSON.stringify(message.parts),
      metadata: '{}',
      turn_id: start.turnId,
      created_at: start.now,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
