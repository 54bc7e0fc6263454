import type { Transaction } from 'kysely'
import type { CoreTables } from '../../database/core-tables.ts'
import { idParts } from '../../database/id-parts.ts'
import { sessionTitle } from '../../sessions/session-store.ts'
import type { TurnClaim } from '../store/turn.ts'
import { answersThatChanged, deleteMessages } from './drop-answers.ts'

/**
 * Removes a user message that is replaced, and everything after it. Answers that changed something stay with their questions: the
 * model reads their calls, so that it does not repeat them. The texts of removed messages are removed from their turns, too.
 *
 * @param messageId Nothing is removed if the session has no user message with that id.
 */
export const cutHistory = async (tx: Transaction<CoreTables>, claim: TurnClaim, messageId: string): Promise<void> => {
  const { sessionId, text } = claim
  const owner = claim.actor.did
  if (!(await hasUserMessage(tx, { owner, sessionId, messageId }))) return
  const all = await tx
    .selectFrom('core_messages')
    .select(['id', 'role', 'turn_id'])
    .where('owner', '=', owner)
    .where('session_id', '=', sessionId)
    .orderBy('position')
    .execute()
  const from = all.findIndex(({ id }) => id === messageId)
  const later = all.slice(from)
  const kept = await messagesToKeep(tx, { owner, sessionId }, later)
  const dropped = later.filter(({ id }) => !kept.has(id))
  await deleteMessages(
    tx,
    { owner, sessionId },
    dropped.map(({ id }) => id),
  )
  const turns = new Set(later.map(({ turn_id: turnId }) => turnId))
  const keptTurns = new Set(later.flatMap(({ id, turn_id: turnId }) => (kept.has(id) ? [turnId] : [])))
  turns.delete(claim.id)
  for (const ids of idParts([...turns])) {
    await tx.updateTable('core_turns').set({ message_key: null }).where('id', 'in', ids).execute()
  }
  for (const ids of idParts([...turns].filter(id => !keptTurns.has(id)))) {
    await tx.updateTable('core_turns').set({ text: '' }).where('id', 'in', ids).where('hooks_called', '=', 1).execute()
  }
  if (kept.has(messageId)) {
    await tx
      .updateTable('core_messages')
      .set({ id: `edited:${later[0]?.turn_id}` })
      .where('owner', '=', owner)
      .where('session_id', '=', sessionId)
      .where('id', '=', messageId)
      .execute()
  }
  if (from > 0 || kept.size > 0) return
  await tx
    .updateTable('core_sessions')
    .set({ title: sessionTitle(text) })
    .where('owner', '=', owner)
    .where('id', '=', sessionId)
    .execute()
}

const hasUserMessage = async (
  tx: Transaction<CoreTables>,
  { owner, sessionId, messageId }: { readonly owner: string; readonly sessionId: string; readonly messageId: string },
): Promise<boolean> => {
  const row = await tx
    .selectFrom('core_messages')
    .select('role')
    .where('owner', '=', owner)
    .where('session_id', '=', sessionId)
    .where('id', '=', messageId)
    .executeTakeFirst()
  return row?.role === 'user'
}

interface Message {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly turn_id: string
}

/** Returns the ids of the answers that changed something, and of their questions. */
const messagesToKeep = async (
  tx: Transaction<CoreTables>,
  session: { readonly owner: string; readonly sessionId: string },
  messages: readonly Message[],
): Promise<ReadonlySet<string>> => {
  const answers = messages.filter(({ role, turn_id: turnId }) => role === 'assistant' && turnId !== '')
  const changed = new Set<string>()
  for (const ids of idParts(answers.map(({ id }) => id))) {
    for (const id of await answersThatChanged(tx, session, ids)) changed.add(id)
  }
  const kept = new Set<string>()
  let question: string | undefined
  for (const { id, role } of messages) {
    if (role === 'user') question = id
    if (!changed.has(id)) continue
    kept.add(id)
    if (question !== undefined) kept.add(question)
  }
  return kept
}
