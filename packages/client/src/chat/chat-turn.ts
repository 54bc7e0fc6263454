import { followTurn, type TurnSource } from './follow-turn.ts'
import type { StreamedEvent } from './streamed-event.ts'

/** A turn that the oracle took on, with its stream open. */
export interface ChatTurn {
  readonly sessionId: string
  readonly turnId: string
  /**
   * The turn's events in order, each once, ending with `finish`, `abort` or `error`. To be read once, and from the
   * start on: an unread stream keeps its connection until the signal aborts. Leaving early closes it; the turn goes on.
   */
  readonly events: AsyncIterable<StreamedEvent>
  /** Stops the turn; its stream then ends with `abort`. */
  stop(): Promise<void>
}

/**
 * Opens a turn's stream and waits for its first event.
 *
 * @returns undefined when there is nothing to read
 */
export const startTurn = async (source: TurnSource, stop: () => Promise<void>): Promise<ChatTurn | undefined> => {
  const events = followTurn(source)
  const first = await events.next()
  if (first.done) return undefined
  return { sessionId: source.sessionId, turnId: first.value.turnId, events: prepend(first.value, events), stop }
}

async function* prepend(first: StreamedEvent, rest: AsyncGenerator<StreamedEvent, void, undefined>) {
  try {
    yield first
    yield* rest
  } finally {
    await rest.return()
  }
}
