import type { Transaction } from 'kysely'
import type { CoreTables } from '../../database/core-tables.ts'
import { idParts } from '../../database/id-parts.ts'
import { readJson } from '../../database/stored-json.ts'
import { isToolPart, type MessagePart, readMetadata } from '../../sessions/stored-message.ts'

/** The answers of a session. */
interface AnswersOf {
  readonly owner: string
  readonly sessionId: string
  /** The answer to give again; the last one where it is missing. */
  readonly messageId: string | undefined
}

/**
 * Removes an answer that is to be repeated, and everything after its question. Interrupted answers to the question, and
 * those that changed something, stay: the model reads their calls, so that it does not repeat them.
 */
export const dropAnswers = async (tx: Transaction<CoreTables>, answers: AnswersOf): Promise<void> => {
  const { owner, sessionId, messageId } = answers
  const all = await tx
    .selectFrom('core_messages')
    .select(['id', 'role', 'position', 'turn_id'])
    .where('owner', '=', owner)
    .where('session_id', '=', sessionId)
    .orderBy('position')
    .execute()
  const named = all.findIndex(({ id }) => id === messageId)
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
export const deleteMessages = async (
  tx: Transaction<CoreTables>,
  { owner, sessionId }: Pick<AnswersOf, 'owner' | 'sessionId'>,
  messages: readonly string[],
): Promise<void> => {
  for (const ids of idParts(messages)) {
    await tx
      .deleteFrom('core_messages')
      .where('owner', '=', owner)
      .where('session_id', '=', sessionId)
      .where('id', 'in', ids)
      .execute()
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
    .where('owner', '=', owner)
    .where('session_id', '=', sessionId)
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
export const answersThatChanged = async (
  tx: Transaction<CoreTables>,
  { owner, sessionId }: Pick<AnswersOf, 'owner' | 'sessionId'>,
  ids: readonly string[],
): Promise<readonly string[]> => {
  const changed = await tx
    .selectFrom('core_turns')
    .innerJoin('core_tool_calls', 'core_tool_calls.turn_id', 'core_turns.id')
    .select('core_turns.answer_id')
    .distinct()
    .where('core_turns.owner', '=', owner)
    .where('core_turns.session_id', '=', sessionId)
    .where('core_turns.answer_id', 'in', ids)
    .where('core_tool_calls.state', 'in', ['intended', 'done'])
    .execute()
  return changed.map(row => row.answer_id)
}

const hasContent = (part: MessagePart): boolean =>
  isToolPart(part) || (part.type === 'text' && typeof part.text === 'string' && part.text.trim() !== '')
