import { ussdErrors } from '../errors/ussd-errors.ts'
import type { FlowFacts } from '../flow/flow-machine.ts'
import type { UssdReply, UssdRequest } from '../requests/ussd-request.ts'
import { completeMove } from './complete-move.ts'
import { droppedEvent, pathFrom } from './count-move.ts'
import { continueAction, repeatReply, stayAtAction } from './late-actions.ts'
import { isDial, type Reading, readRequest } from './read-request.ts'
import { answerOffer, offerResume } from './resume-session.ts'
import type { SessionContext } from './session-context.ts'
import type { SessionPlace } from './session-place.ts'
import type { KnownSession, Move, MoveResult } from './session-record.ts'

/** Maximum number of reads of a session that other processes move concurrently. */
const maxTries = 25

/** Handles a request that shows something. A dial is first treated as that of a new session, without a read. */
export const serveRequest = async (
  context: SessionContext,
  request: UssdRequest,
  place: SessionPlace,
): Promise<UssdReply> => {
  const { settings, runs, store, machine, counts } = context
  const blind = isDial(request) && !settings.resume && runs.get(place.keys[0]) === undefined
  let screen = machine.start
  try {
    for (let tries = 0; tries < maxTries; tries++) {
      const known = tries === 0 && blind ? undefined : await store.findFirst(place.keys)
      screen = known?.record.state.screen ?? screen
      const reply = await attempt(context, request, place, known)
      if (reply !== undefined) return reply
    }
    throw ussdErrors.ussd_session_contested({ tries: maxTries })
  } catch (error) {
    counts.add(screen, 'errors')
    throw error
  }
}

/** Handles `release` and `timeout`: the network ended the session. */
export const dropSession = async (
  { store, counts }: SessionContext,
  place: SessionPlace,
  event: 'release' | 'timeout',
): Promise<undefined> => {
  for (let tries = 0; tries < maxTries; tries++) {
    const known = await store.findFirst(place.keys)
    if (known?.status !== 'active') return undefined
    const session = { ...known, version: known.version + 1, status: 'dropped' } as const
    if (!(await store.save(session, { touched: false }))) continue
    counts.add(known.record.state.screen, droppedEvent(event))
    return undefined
  }
  throw ussdErrors.ussd_session_contested({ tries: maxTries })
}

/** Returns promises without awaiting them: each await would cost every request. */
const attempt = (
  context: SessionContext,
  request: UssdRequest,
  place: SessionPlace,
  known: KnownSession | undefined,
): Promise<MoveResult> => {
  const reading = readRequest(request, place.shortcut, known)
  if (reading.kind === 'repeat' && known !== undefined) return repeatReply(context, known)
  const move = moveOf(context, request, place, known, reading)
  if (reading.kind === 'input' && known !== undefined) return applyInput(context, move, known, reading.typed)
  context.runs.get(move.session.key)?.abort()
  return begin(context, request, place, move, reading.kind === 'begin' ? reading.answers : '')
}

const begin = async (
  context: SessionContext,
  request: UssdRequest,
  place: SessionPlace,
  move: Move,
  answers: string,
): Promise<MoveResult> => {
  const { machine, knownLanguage } = context
  const language = machine.languages.length > 1 ? await knownLanguage(request.phoneNumber) : undefined
  const step = machine.begin(move.facts, { language })
  if (step.kind === 'run') return await completeMove(context, move, step)
  if (answers !== '') return await completeMove(context, move, machine.input(step.state, answers, move.facts, false))
  const offered = isDial(request) ? await offerResume(context, move, place, step.state) : undefined
  return await (offered?.() ?? completeMove(context, move, step))
}

const applyInput = (context: SessionContext, move: Move, known: KnownSession, typed: string): Promise<MoveResult> => {
  const { state, offer, run, outcome } = known.record
  if (offer !== undefined) return answerOffer(context, move, known, offer, typed)
  const step = context.machine.input(state, typed, move.facts)
  if (run === undefined && outcome === undefined) return completeMove(context, move, step)
  if (step.kind === 'show') return stayAtAction(context, move, known, step)
  if (outcome !== undefined) return completeMove(context, move, { kind: 'show', ...outcome })
  return continueAction(context, move, known, run!, step.action)
}

const moveOf = (
  { settings, seals }: SessionContext,
  request: UssdRequest,
  place: SessionPlace,
  known: KnownSession | undefined,
  reading: Reading,
): Move => {
  const { sessionId, provider, phoneNumber, limits, text, textMode, sequence } = request
  const key = known?.key ?? place.keys[0]
  const fresh = reading.kind !== 'input'
  const serviceCode = (fresh ? undefined : known?.serviceCode) ?? place.serviceCode
  const facts: FlowFacts = { phoneNumber, serviceCode, limits }
  const phone = known?.phone ?? seals.phone(phoneNumber, key)
  const caller = known?.caller ?? (settings.resume ? place.callers()[0] : null)
  return {
    facts,
    path: pathFrom(known, fresh),
    session: { key, sessionId, provider, serviceCode, phone, caller, version: known?.version ?? 0 },
    texts: {
      mode: reading.kind === 'repeat' ? textMode : reading.mode,
      shortcut: fresh ? place.shortcut : (known?.record.shortcut ?? ''),
      text: isDial(request) ? undefined : text,
      sequence: sequence ?? (fresh ? undefined : known?.record.sequence),
    },
  }
}
