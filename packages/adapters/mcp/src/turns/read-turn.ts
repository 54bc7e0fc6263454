import type { Host, StartedTurn, TurnResult } from '@sibyl/plugin'
import type { PendingCall, TurnEvent } from '@sibyl/plugin/host'

/** A turn that has ended. */
export interface ReadTurn {
  readonly result: TurnResult
  /** The calls of the turn that wait for the user. */
  readonly questions: readonly PendingCall[]
}

/** Waits for the end of a turn of a session. @param follow Called with each event; without it, no event is read. */
export const readTurn = async (
  turns: Pick<Host['turns'], 'pending'>,
  { did, session }: { readonly did: string; readonly session: string },
  { turnId, events, finished }: StartedTurn,
  follow?: (event: TurnEvent['event']) => void,
): Promise<ReadTurn> => {
  if (follow) for await (const { event } of events) follow(event)
  const result = await finished
  const pending = result.outcome === 'awaiting-approval' ? await turns.pending(did, session) : []
  return { result, questions: pending.filter(call => call.turnId === turnId) }
}
