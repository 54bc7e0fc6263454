import type { FlowCounts, FlowEvent } from '../counts/flow-counts.ts'
import type { FlowStep } from '../flow/flow-machine.ts'
import type { KnownSession, Move, MovePath } from './session-record.ts'

/** Counts a stored move: the screens that the session left and entered, failed actions, and its end. */
export const countMove = (
  counts: Pick<FlowCounts, 'add'>,
  { from, ran, failed, other }: MovePath,
  to: string,
  endedBy?: 'flow' | 'user',
): void => {
  if (other !== undefined) counts.add(other.screen, other.event)
  let at = from
  for (const screen of ran) at = countStep(counts, at, screen)
  at = countStep(counts, at, to)
  for (const screen of failed) counts.add(screen, 'errors')
  if (endedBy !== undefined) counts.add(at, endedBy === 'flow' ? 'flow_ended' : 'user_ended')
}

const countStep = (counts: Pick<FlowCounts, 'add'>, from: string | undefined, to: string): string => {
  if (from === to) return to
  if (from !== undefined) counts.add(from, 'continued')
  counts.add(to, 'entered')
  return to
}

/** Returns the path of a move from a session, or that of a new session in its place. */
export const pathFrom = (known: KnownSession | undefined, isFresh: boolean): MovePath => {
  const none = { ran: [], failed: [] }
  if (known === undefined) return none
  const { screen } = known.record.state
  if (!isFresh) return { ...none, from: screen }
  if (known.status !== 'active') return none
  return { ...none, other: { screen, event: known.live ? 'user_ended' : 'timed_out' } }
}

/** Returns the path of a move whose action starts. */
export const withRun = (move: Move, { state }: FlowStep): Move => ({
  ...move,
  path: { ...move.path, ran: [...move.path.ran, state.screen] },
})

/** Returns the path of a move whose action failed. */
export const withFailure = (move: Move, screen: string): Move => ({
  ...move,
  path: { ...move.path, failed: [...move.path.failed, screen] },
})

/** Returns the event of a call that the network ended. */
export const droppedEvent = (event: 'release' | 'timeout'): FlowEvent =>
  event === 'timeout' ? 'timed_out' : 'user_ended'
