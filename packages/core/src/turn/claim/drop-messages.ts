import { sql } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import type { CoreRow, CoreTables } from '../../database/core-tables.ts'
import { countInSessions } from '../../database/count-stored.ts'
import { idParts } from '../../database/id-parts.ts'
import { readJson } from '../../database/stored-json.ts'
import { sessionTitle } from '../../sessions/session-store.ts'
import { isToolPart, type MessagePart, readMetadata } from '../../sessions/stored-message.ts'
import type { TurnClaim } from '../store/turn.ts'

interface SessionKey {
  readonly owner: string
  readonly sessionId: string
}

interface AnswersOf extends SessionKey {
  /** The answer to give again; the last one where it is missing. */
  readonly messageId: string | undefined
}

/**
 * Removes an answer that is to be repeated, and everything after its question. Interrupted answers to the question, and
 * those that changed something, stay: the model reads their calls, so that it does not repeat them.
 */
export const dropAnswers = async (tx: Transaction<CoreTables>, answers: AnswersOf): Promise<void> => {
  const all = await messagesOf(tx, answers)
  const named = all.findIndex(({ id }) => id === answers.messageId)
  const asked = (named < 0 ? all : all.slice(0, named + 1)).findLastIndex(({ role }) => role === 'user')
  const later = all.slice(asked + 1)
  const nextQuestion = later.findIndex(({ role }) => role === 'user')
  const ofQuestion = nextQuestion < 0 ? later : later.slice(0, nextQuestion)
  const given = ofQuestion.filter(({ turn_id: turnId }) => turnId !== '').map(({ id }) => id)
  const kept = await answersToKeep(tx, answers, given)
  const dropped = later.filter(({ id }) => !kept.has(id)).map(({ id }) => id)
  await deleteMessages(tx, answers, dropped)
}

/** Deletes messages of a session by their ids. */
const deleteMessages = async (
  tx: Transaction<CoreTables>,
  { owner, sessionId }: SessionKey,
  messages: readonly string[],
): Promise<void> => {
  for (const ids of idParts(messages)) {
    const deleted = await tx
      .deleteFrom('core_messages')
      .where(eb => eb.and({ owner, session_id: sessionId }))
      .where('id', 'in', ids)
      .returning(sql<number>`octet_length(parts) + octet_length(metadata)`.as('bytes'))
      .execute()
    const bytes = deleted.reduce((sum, row) => sum + row.bytes, 0)
    await countInSessions(tx, [{ did: owner, sessionId, bytes: -bytes }])
  }
}

/** Returns those of these answers that the model has to read, if they are given again. */
const answersToKeep = async (
  tx: Transaction<CoreTables>,
  { owner, sessionId }: AnswersOf,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await tx
    .selectFrom('core_messages')
    .select(['id', 'parts', 'metadata'])
    .where(eb => eb.and({ owner, session_id: sessionId }))
    .where('id', 'in', ids)
    .execute()
  const interrupted = rows.filter(
    ({ parts, metadata }) =>
      (readMetadata(metadata).outcome ?? 'interrupted') === 'interrupted' &&
      readJson<MessagePart[]>(parts, []).some(hasContent),
  )
  const changed = await answersThatChanged(tx, { owner, sessionId }, ids)
  return new Set([...interrupted.map(({ id }) => id), ...changed])
}

/** Returns those of these answers whose tool calls changed something, or may have. */
const answersThatChanged = async (
  tx: Transaction<CoreTables>,
  { owner, sessionId }: SessionKey,
  ids: readonly string[],
): Promise<readonly string[]> => {
  const changed = await tx
    .selectFrom('core_turns')
    .innerJoin('core_tool_calls', 'core_tool_calls.turn_id', 'core_turns.id')
    .select('core_turns.answer_id')
    .distinct()
    .where(eb => eb.and({ 'core_turns.owner': owner, 'core_turns.session_id': sessionId }))
    .where('core_turns.answer_id', 'in', ids)
    .where('core_tool_calls.state', 'in', ['intended', 'done'])
    .execute()
  return changed.map(row => row.answer_id)
}

const hasContent = (part: MessagePart): boolean =>
  isToolPart(part) || (part.type === 'text' && typeof part.text === 'string' && part.text.trim() !== '')

/**
 * Removes a user message that is replaced, and everything after it. Answers that changed something stay with their questions: the
 * model reads their calls, so that it does not repeat them. The texts of removed messages are removed from their turns, too.
 *
 * @param messageId Nothing is removed if the session has no user message with that id.
 */
export const cutHistory = async (tx: Transaction<CoreTables>, claim: TurnClaim, messageId: string): Promise<void> => {
  const { sessionId, text } = claim
  const owner = claim.actor.did
  const session = { owner, sessionId }
  if (!(await hasUserMessage(tx, session, messageId))) return
  const all = await messagesOf(tx, session)
  const from = all.findIndex(({ id }) => id === messageId)
  const later = all.slice(from)
  const kept = await messagesToKeep(tx, session, later)
  const dropped = later.filter(({ id }) => !kept.has(id)).map(({ id }) => id)
  await deleteMessages(tx, session, dropped)
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
      .where(eb => eb.and({ owner, session_id: sessionId, id: messageId }))
      .execute()
  }
  if (from > 0 || kept.size > 0) return
  await tx
    .updateTable('core_sessions')
    .set({ title: sessionTitle(text) })
    .where(eb => eb.and({ owner, id: sessionId }))
    .execute()
}

const hasUserMessage = async (
  tx: Transaction<CoreTables>,
  { owner, sessionId }: SessionKey,
  messageId: string,
): Promise<boolean> => {
  const row = await tx
    .selectFrom('core_messages')
    .select('role')
    .where(eb => eb.and({ owner, session_id: sessionId, id: messageId }))
    .executeTakeFirst()
  return row?.role === 'user'
}

type Message = Pick<CoreRow<'core_messages'>, 'id' | 'role' | 'turn_id'>

/** Returns the messages of a session in their order. */
const messagesOf = (tx: Transaction<CoreTables>, { owner, sessionId }: SessionKey): Promise<Message[]> =>
  tx
    .selectFrom('core_messages')
    .select(['id', 'role', 'turn_id'])
    .where(eb => eb.and({ owner, session_id: sessionId }))
    .orderBy('position')
    .execute()

/** Returns the ids of the answers that changed something, and of their questions. */
const messagesToKeep = async (
  tx: Transaction<CoreTables>,
  session: SessionKey,
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
