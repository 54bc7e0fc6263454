import type { Host, PendingCall, StartedTurn, TurnEvent, TurnResult } from '@sibyl/plugin'

/** The result of a tool call. */
export type CallResult = { readonly output: unknown } | { readonly error: string }

/** A turn that has ended. */
export interface ReadTurn {
  readonly result: TurnResult
  /** The results of its calls, in the order in which they came. */
  readonly calls: readonly CallResult[]
  /** The calls of the turn that wait for the user. */
  readonly questions: readonly PendingCall[]
}

/** Reads a turn of a session to its end. @param follow Called with each event. */
export const readTurn = async (
  turns: Pick<Host['turns'], 'pending'>,
  { did, session }: { readonly did: string; readonly session: string },
  { turnId, events, finished }: StartedTurn,
  follow: (event: TurnEvent['event']) => void = () => {},
): Promise<ReadTurn> => {
  const calls: CallResult[] = []
  for await (const { event } of events) {
    follow(event)
    if (event.type === 'tool-output-available') calls.push({ output: event.output })
    if (event.type === 'tool-output-error' || event.type === 'tool-input-error') calls.push({ error: event.errorText })
    if (event.type === 'tool-output-denied') calls.push({ error: 'The user denied this call. It was not run.' })
  }
  const result = await finished
  const pending = result.outcome === 'awaiting-approval' ? await turns.pending(did, session) : []
  return { result, calls, questions: pending.filter(call => call.turnId === turnId) }
}
