import { pause } from '@sibyl/plugin'
import type { ActionScreen } from '../flow/flow.ts'
import type { FlowStep } from '../flow/flow-machine.ts'
import { completeMove } from './complete-move.ts'
import { countMove } from './count-move.ts'
import type { SessionContext } from './session-context.ts'
import type { KnownSession, Move, MoveResult, PendingRun } from './session-record.ts'

/** Interval of reads of a session whose action another process runs, in milliseconds. */
const pollMs = 100

/** Returns the reply to a repeated request; waits if another process is about to reply. */
export const repeatReply = async (context: SessionContext, known: KnownSession): Promise<MoveResult> => {
  const { run, reply } = known.record
  if (run === undefined || context.storage.engine === 'sqlite' || context.runs.get(known.key)) return reply
  return (await isMoved(context, known, run.waitsMs - known.idleMs)) ? undefined : reply
}

/** Replies without the outcome: the action is late, or the closing text. */
export const stayAtAction = async (
  { runs, store, counts }: SessionContext,
  move: Move,
  known: KnownSession,
  step: FlowStep & { readonly kind: 'show' },
): Promise<MoveResult> => {
  const { run, outcome } = known.record
  const ended = step.reply.kind === 'end'
  if (ended) runs.get(known.key)?.abort()
  const record = { ...move.texts, state: step.state, reply: step.reply, run, outcome: ended ? undefined : outcome }
  const session = { ...move.session, version: known.version + 1, status: ended ? 'ended' : 'active', record } as const
  if (!(await store.save(session))) return undefined
  countMove(counts, move.path, step.state.screen, step.endedBy)
  return step.reply
}

/**
 * Waits for the outcome of an action, wherever it runs. On SQLite, an action that does not run here belongs to an ended
 * process, and is taken over. On PostgreSQL, its job takes over once the lease of that process has expired.
 */
export const continueAction = async (
  context: SessionContext,
  move: Move,
  known: KnownSession,
  run: PendingRun,
  action: ActionScreen,
): Promise<MoveResult> => {
  const { machine, runs, storage } = context
  const isHere = runs.get(known.key)?.request.run.id === run.id
  if (!isHere && storage.engine === 'postgres') {
    if (await isMoved(context, known, run.waitsMs)) return undefined
    const { state } = known.record
    return await stayAtAction(context, move, known, { kind: 'show', state, reply: machine.late(state, move.facts) })
  }
  if (!isHere && action.effect === 'write')
    return await completeMove(context, move, { kind: 'ended', run, outcome: { kind: 'unknown' } })
  return await completeMove(context, move, { kind: 'wait', run, action, isStored: true })
}

/** Waits until another process has moved a session; false if none did. */
const isMoved = async (
  { store }: SessionContext,
  { key, version }: KnownSession,
  limitMs: number,
): Promise<boolean> => {
  const until = performance.now() + limitMs
  while (performance.now() < until) {
    await pause(pollMs)
    const now = await store.find(key)
    if (now?.version !== version) return true
  }
  return false
}
