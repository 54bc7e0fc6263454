import type { Actor, StartedTurn } from '@sibyl/plugin'
import { toJson } from '@sibyl/plugin/storage'
import type { MatrixHost, MatrixStorage, MatrixTransaction, QuestionField } from '../store/matrix-tables.ts'
import { type AskedQuestion, questionText } from './asked-questions.ts'

/** A question that waits for its person. */
export interface OpenQuestion {
  readonly approvalId: string
  /** The message whose turn asked it. */
  readonly eventId: string
  readonly thread: string | null
  readonly text: string
  readonly field: QuestionField | null
  /** When it was asked, in milliseconds since 1970. */
  readonly at: number
}

/** Where the questions of a turn are asked, and whom. */
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

/** Returns the question that a person is asked in a room: the first one that is open. @param except Left out. */
export const openQuestion = async (
  read: Pick<MatrixStorage['read'], 'selectFrom'>,
  { roomId, userId }: Pick<QuestionPlace, 'roomId' | 'userId'>,
  except = '',
): Promise<OpenQuestion | undefined> => {
  const row = await read
    .selectFrom('matrix_questions')
    .selectAll()
    .where('room_id', '=', roomId)
    .where('user_id', '=', userId)
    .where('approval_id', '!=', except)
    .orderBy('place')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const { approval_id: approvalId, event_id: eventId, thread, text, field, at } = row
  return { approvalId, eventId, thread, text, field, at }
}

/**
 * Stores the questions of a turn and returns the first one; those that cannot be put in a room are refused at once.
 *
 * @returns what to say, and the turn that goes on where a refusal began one
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
  const told = others.map(({ text }) => `${text}\n\nI cannot ask that here, so I take it as a no: it needs the chat.`)
  for (const { approvalId } of others) {
    const decided = await turns.decide(actor, approvalId, 'deny')
    if (!('refused' in decided) && decided.turn) return { text: told.join('\n\n'), turn: decided.turn }
  }
  return { text: [...told, ...fit.slice(0, 1).map(questionText)].join('\n\n') }
}
