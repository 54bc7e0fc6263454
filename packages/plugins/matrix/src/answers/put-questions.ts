import type { Actor, StartedTurn } from '@sibyl/plugin'
import type { MatrixHost } from '../store/matrix-tables.ts'
import { type AskedQuestions, keepQuestions, questionText } from './open-questions.ts'

/** Whom the questions of a turn are put to, and where. */
export interface QuestionPlace {
  readonly roomId: string
  readonly userId: string
  /** The message that the turn answers. */
  readonly eventId: string
  readonly thread: string | null
}

/**
 * Keeps the questions of a turn and gives the first one; those that cannot be put in a room are refused at once.
 *
 * @returns what to say, and the turn that goes on where a refusal began one
 */
export const putQuestions = async (
  { storage, turns, clock }: Pick<MatrixHost, 'storage' | 'turns' | 'clock'>,
  actor: Actor,
  questions: ReturnType<AskedQuestions['list']>,
  place: QuestionPlace,
): Promise<{ readonly text: string; readonly turn?: StartedTurn }> => {
  const fit = questions.filter(({ field }) => field !== 'unsuitable')
  const others = questions.filter(({ field }) => field === 'unsuitable')
  await storage.write(tx => keepQuestions(tx, { ...place, now: clock.now() }, fit))
  const told = others.map(({ text }) => `${text}\n\nI cannot ask that here, so I take it as a no: it needs the chat.`)
  for (const { approvalId } of others) {
    const decided = await turns.decide(actor, approvalId, 'deny')
    if (!('refused' in decided) && decided.turn) return { text: told.join('\n\n'), turn: decided.turn }
  }
  const [first] = fit
  const question = first
    ? [questionText({ text: first.text, field: first.field === 'unsuitable' ? null : first.field })]
    : []
  return { text: [...told, ...question].join('\n\n') }
}
