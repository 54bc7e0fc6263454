import type { Actor, StartedTurn } from '@sibyl/plugin'
import { toJson } from '@sibyl/plugin/storage'
import type { MatrixHost, MatrixStorage, MatrixTransaction, QuestionField } from '../store/matrix-tables.ts'
import { type AskedQuestion, questionText } from './asked-questions.ts'

/** A question that waits for its user. */
export interface OpenQuestion {
  readonly approvalId: string
  /** The message whose turn asked it. */
  readonly eventId: string
  readonly thread: string | null
  readonly text: string
  readonly field: QuestionField | null
  /** Time of the question, in milliseconds since 1970. */
  readonly at: number
}

/** The room and the user of a turn's questions. */
interface QuestionPlace {
  readonly roomId: string
  readonly userId: string
  /** The message that the turn answers. */
  readonly eventId: string
  readonly thread: string | null
}

const keepQuestions = async (
  tx: MatrixTransaction,
  { roomId, userId, eventId, thread }: QuestionPlace,
  questions: readonly AskedQuestion[],
  now: number,
): Promise<void> => {
  for (const { approvalId, text, field } of questions) {
    await tx
      .insertInto('matrix_questions')
      .values({
        approval_id: approvalId,
        event_id: eventId,
        room_id: roomId,
        user_id: userId,
        thread,
        text: text.toWellFormed(),
        field: toJson(field === 'unsuitable' ? null : field),
        at: now,
      })
      .onConflict(conflict => conflict.column('approval_id').doNothing())
      .execute()
  }
}

/**
 * Returns the open question of a user in a room, the first one if there are several. @param except A question to skip.
 */
export const openQuestion = async (
  read: Pick<MatrixStorage['read'], 'selectFrom'>,
  { roomId, userId }: Pick<QuestionPlace, 'roomId' | 'userId'>,
  except = '',
): Promise<OpenQuestion | undefined> => {
  const row = await read
    .selectFrom('matrix_questions')
    .selectAll()
    .where(eb => eb.and({ room_id: roomId, user_id: userId }))
    .where('approval_id', '!=', except)
    .orderBy('place')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const { approval_id: approvalId, event_id: eventId, thread, text, field, at } = row
  return { approvalId, eventId, thread, text, field, at }
}

/**
 * Stores the questions of a turn and returns the first one; those that cannot be asked in a room are declined at once.
 *
 * @returns the text to send, and the turn that continues after a declined question
 */
export const putQuestions = async (
  { storage, turns, clock }: Pick<MatrixHost, 'storage' | 'turns' | 'clock'>,
  actor: Actor,
  questions: readonly AskedQuestion[],
  place: QuestionPlace,
): Promise<{ readonly text: string; readonly turn?: StartedTurn }> => {
  const fit = questions.filter(({ field }) => field !== 'unsuitable')
  const others = questions.filter(({ field }) => field === 'unsuitable')
  await storage.write(tx => keepQuestions(tx, place, fit, clock.now()))
  const reported = others.map(
    ({ text }) => `${text}\n\nI cannot ask this here, so I treat it as declined. Use the chat instead.`,
  )
  for (const { approvalId } of others) {
    const decided = await turns.decide(actor, approvalId, 'deny')
    if (!('refused' in decided) && decided.turn) return { text: reported.join('\n\n'), turn: decided.turn }
  }
  return { text: [...reported, ...fit.slice(0, 1).map(questionText)].join('\n\n') }
}
