import { randomUUID } from 'node:crypto'
import type { ActionScreen } from '../flow/flow.ts'
import type { ActionOutcome, FlowState, FlowStep } from '../flow/flow-machine.ts'
import { defaultWaitMs, nextStep, storeLater } from './action-recovery.ts'
import { countMove, withFailure, withRun } from './count-move.ts'
import type { SessionContext } from './session-context.ts'
import type { Move, MoveResult, MoveWrite, PendingRun, SessionRecord } from './session-record.ts'
import type { SaveOptions } from './session-store.ts'

/** Completes a move at this step: runs its actions and saves the session. */
export const completeMove = async (
  context: SessionContext,
  move: Move,
  step: FlowStep,
  write?: MoveWrite,
): Promise<MoveResult> => {
  if (step.kind === 'show') {
    const { state, reply, endedBy } = step
    const saved = await save(context, move, { state, reply }, { write, endedBy })
    return saved ? reply : undefined
  }
  const { state, action } = step
  const running = withRun(move, step)
  const run = { id: randomUUID(), state, limits: move.facts.limits, waitsMs: action.timeLimitMs ?? defaultWaitMs }
  if (action.effect === 'read' && write === undefined) return await runUnsaved(context, running, run, action)
  const saved = await saveLate(context, running, run, write)
  return saved ? await awaitOutcome(context, stored(running, state), run, action) : undefined
}

/** Waits for the outcome of a persisted action, as long as its phone waits; starts it if it does not run here. */
export const awaitOutcome = async (
  context: SessionContext,
  from: Move,
  run: PendingRun,
  action: ActionScreen,
): Promise<MoveResult> => {
  const { runs, machine } = context
  const move = timed(from, run)
  const { key } = move.session
  const known = runs.get(key)
  const here = known?.request.run.id === run.id ? known : runs.start({ key, run, action, facts: move.facts })
  let ended = false
  try {
    const outcome = await here.within(leftMs(move, run))
    if (outcome !== undefined) {
      const reply = await endMove(context, move, run, outcome)
      ended = reply !== undefined
      return reply
    }
    const saved = await saveLate(context, move, run)
    return saved ? machine.late(run.state, move.facts) : undefined
  } finally {
    if (ended) runs.forget(here)
    else storeLater(context, here)
  }
}

/** Completes a move whose action has ended. */
export const endMove = async (
  context: SessionContext,
  move: Move,
  run: PendingRun,
  outcome: ActionOutcome,
): Promise<MoveResult> => {
  const { step, write, failed } = nextStep(context, run.state, outcome, move.facts)
  return await completeMove(context, failed ? withFailure(move, run.state.screen) : move, step, write)
}

/** Runs an action that is persisted only once it is late. */
const runUnsaved = async (
  context: SessionContext,
  from: Move,
  run: PendingRun,
  action: ActionScreen,
): Promise<MoveResult> => {
  const { runs, machine } = context
  const move = timed(from, run)
  const here = runs.start({ key: move.session.key, run, action, facts: move.facts })
  const outcome = await here.within(leftMs(move, run))
  if (outcome !== undefined) {
    runs.forget(here)
    return await endMove(context, move, run, outcome)
  }
  let saved = false
  try {
    saved = await saveLate(context, move, run)
    return saved ? machine.late(run.state, move.facts) : undefined
  } finally {
    if (saved) storeLater(context, here)
    else {
      here.abort()
      runs.forget(here)
    }
  }
}

const saveLate = (context: SessionContext, move: Move, run: PendingRun, write?: MoveWrite): Promise<boolean> => {
  const reply = context.machine.late(run.state, move.facts)
  return save(context, move, { state: run.state, reply, run }, { write })
}

const save = async (
  { store, counts }: SessionContext,
  { session, path, texts }: Move,
  shown: Pick<SessionRecord, 'state' | 'reply' | 'run'>,
  { endedBy, ...how }: SaveOptions & { readonly endedBy?: 'flow' | 'user' | undefined },
): Promise<boolean> => {
  const status = shown.reply.kind === 'end' ? 'ended' : 'active'
  const version = session.version + 1
  const saved = await store.save({ ...session, version, status, record: { ...texts, ...shown } }, how)
  if (saved) countMove(counts, path, shown.state.screen, status === 'ended' ? (endedBy ?? 'flow') : undefined)
  return saved
}

/** Returns the move that follows a stored one. */
const stored = (move: Move, { screen }: FlowState): Move => ({
  ...move,
  session: { ...move.session, version: move.session.version + 1 },
  path: { from: screen, ran: [], failed: [] },
})

/** Returns the move with its deadline, which its first action sets. */
const timed = (move: Move, { waitsMs }: PendingRun): Move =>
  move.until === undefined ? { ...move, until: performance.now() + waitsMs } : move

const leftMs = ({ until }: Move, { waitsMs }: PendingRun): number =>
  Math.max(0, Math.min(waitsMs, (until ?? 0) - performance.now()))
