import type { FlowState } from '../flow/flow-machine.ts'
import { cleanInput } from '../text/clean-input.ts'
import { completeMove } from './complete-move.ts'
import type { SessionContext } from './session-context.ts'
import { sessionsOfCaller } from './session-lists.ts'
import type { SessionPlace } from './session-place.ts'
import type { KnownSession, Move, MoveResult } from './session-record.ts'

/** Time for which a dropped call can be resumed, in milliseconds. */
export const resumeMs = 600_000

/**
 * Returns the screen that offers to resume a dropped call, instead of the start screen, whose state is `start`;
 * undefined if there is no such call.
 */
export const offerResume = async (
  context: SessionContext,
  move: Move,
  place: SessionPlace,
  start: FlowState,
): Promise<(() => Promise<MoveResult>) | undefined> => {
  if (!context.settings.resume) return undefined
  const earlier = (await sessionsOfCaller(context, place.callers())).find(
    session => session.key !== move.session.key && wasAnswered(session),
  )
  if (earlier === undefined || !canResume(earlier)) return undefined
  const { state } = earlier.record
  if (state.screen === start.screen && state.page === start.page) return undefined
  const reply = context.machine.offerResume(state, move.facts)
  const texts = { ...move.texts, offer: earlier.key }
  return () => completeMove(context, { ...move, texts }, { kind: 'show', state: start, reply })
}

/** Handles the answer to the offer: 1 resumes, 2 begins again, `*` ends. */
export const answerOffer = async (
  context: SessionContext,
  move: Move,
  known: KnownSession,
  offer: string,
  typed: string,
): Promise<MoveResult> => {
  const { state, reply } = known.record
  const text = cleanInput(typed)
  const cut = text.indexOf('*')
  const choice = cut < 0 ? text : text.slice(0, cut)
  const rest = cut < 0 ? undefined : text.slice(cut + 1)
  if (cut === 0) return await completeMove(context, move, context.machine.input(state, '*', move.facts))
  if (choice === '1') return await resume(context, move, state, offer, rest)
  if (choice === '2') return await completeMove(context, move, stepFrom(context, move, state, rest))
  return await completeMove(context, { ...move, texts: { ...move.texts, offer } }, { kind: 'show', state, reply })
}

const resume = async (
  context: SessionContext,
  move: Move,
  start: FlowState,
  offer: string,
  rest: string | undefined,
): Promise<MoveResult> => {
  const earlier = await context.store.find(offer)
  if (earlier === undefined || !canResume(earlier))
    return await completeMove(context, move, stepFrom(context, move, start, undefined))
  const step = stepFrom(context, move, earlier.record.outcome?.state ?? earlier.record.state, rest)
  const other = { screen: earlier.record.state.screen, event: 'continued' } as const
  const path = earlier.status === 'active' ? { ...move.path, other } : move.path
  return await completeMove(context, { ...move, path }, { ...step, write: tx => context.store.endIn(tx, earlier) })
}

const stepFrom = ({ machine }: SessionContext, { facts }: Move, state: FlowState, rest: string | undefined) => {
  if (rest !== undefined && rest !== '') return machine.input(state, rest, facts, false)
  return { kind: 'show', state, reply: machine.show(state, facts) } as const
}

const wasAnswered = ({ record }: KnownSession): boolean => record.text !== undefined || record.shortcut !== ''

/** Returns whether a session may be resumed in another call. A signed-in session may not once it has expired. */
const canResume = ({ status, record, idleMs, live }: KnownSession): boolean => {
  const { state, run, outcome } = record
  if (status === 'ended' || run !== undefined || idleMs >= resumeMs) return false
  return live || [state, outcome?.state].every(one => one === undefined || !isPrivate(one))
}

const isPrivate = ({ customerId, secrets }: FlowState): boolean =>
  customerId !== undefined || Object.keys(secrets).length > 0
