import { randomUUID } from 'node:crypto'
import type { ActionScreen } from '../flow/flow.ts'
import type { ActionOutcome, FlowState, FlowStep } from '../flow/flow-machine.ts'
import { defaultWaitMs, nextStep, storeLater } from './action-recovery.ts'
import type { ActionRun } from './action-runs.ts'
import { countMove, withFailure, withRun } from './count-move.ts'
import type { SessionContext } from './session-context.ts'
import type { Move, MoveResult, MoveWrite, PendingRun, SessionRecord } from './session-record.ts'
import type { SaveOptions } from './session-store.ts'

/** Where a move continues: at a step of its flow, at a run of an action, or after one. */
type MoveStep =
  | (FlowStep & { readonly write?: MoveWrite })
  /** The session stores a run of an action with an effect, and one that is late. */
  | { readonly kind: 'wait'; readonly run: PendingRun; readonly action: ActionScreen; readonly isStored: boolean }
  | { readonly kind: 'ended'; readonly run: PendingRun; readonly outcome: ActionOutcome }

type RunEnd = (context: SessionContext, run: ActionRun) => void

const forget: RunEnd = ({ runs }, run) => runs.forget(run)

const discard: RunEnd = ({ runs }, run) => {
  run.abort()
  runs.forget(run)
}

/** The end of a run, by the end of its move and by whether the session stored the run before. */
const runEnds: Readonly<Record<'saved' | 'late' | 'lost', Readonly<Record<'stored' | 'unstored', RunEnd>>>> = {
  /** The stored reply follows from its outcome. */
  saved: { stored: forget, unstored: forget },
  /** The stored reply does not contain its outcome. */
  late: { stored: storeLater, unstored: storeLater },
  /** Another process moved the session, or the move failed. */
  lost: { stored: storeLater, unstored: discard },
}

/**
 * Completes a move from this step: runs its actions one after the other, as long as the phone waits, and saves the
 * session with the screen that they lead to, or with the one of a late action.
 */
export const completeMove = async (context: SessionContext, from: Move, first: MoveStep): Promise<MoveResult> => {
  const { machine, runs } = context
  const awaited: { readonly here: ActionRun; readonly isStored: boolean }[] = []
  let [move, step]: [Move, MoveStep] = [from, first]
  let end: 'saved' | 'lost' = 'lost'
  let late: ActionRun | undefined
  try {
    for (;;) {
      if (step.kind === 'show') {
        const { state, reply, endedBy, write } = step
        if (!(await save(context, move, { state, reply }, { write, endedBy }))) return undefined
        end = 'saved'
        return reply
      }
      if (step.kind === 'ended') {
        const { run, outcome } = step
        const next = nextStep(context, run.state, outcome, move.facts)
        if (next.failed) move = withFailure(move, run.state.screen)
        step = { ...next.step, write: next.write }
      } else if (step.kind === 'run') {
        const { state, action, write } = step
        const run = { id: randomUUID(), state, limits: move.facts.limits, waitsMs: action.timeLimitMs ?? defaultWaitMs }
        const isStored = action.effect !== 'read' || write !== undefined
        move = withRun(move, step)
        if (isStored && !(await saveLate(context, move, run, write))) return undefined
        if (isStored) move = stored(move, state)
        step = { kind: 'wait', run, action, isStored }
      } else {
        const { run, action, isStored } = step
        move = timed(move, run)
        const { key } = move.session
        const known = runs.get(key)
        const here = known?.request.run.id === run.id ? known : runs.start({ key, run, action, facts: move.facts })
        awaited.push({ here, isStored })
        const outcome = await here.within(leftMs(move, run))
        if (outcome === undefined) {
          late = here
          if (!(await saveLate(context, move, run))) return undefined
          end = 'saved'
          return machine.late(run.state, move.facts)
        }
        step = { kind: 'ended', run, outcome }
      }
    }
  } finally {
    for (const { here, isStored } of awaited)
      runEnds[end === 'saved' && here === late ? 'late' : end][isStored ? 'stored' : 'unstored'](context, here)
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
