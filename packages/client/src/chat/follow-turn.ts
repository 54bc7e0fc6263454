import { messageParts } from '@sibyl/protocol'
import { NetworkError, ProblemError, UnexpectedResponseError } from '../errors/request-errors.ts'
import { ConnectionLostError, InvalidEventError } from '../errors/turn-errors.ts'
import { readStream } from './read-stream.ts'
import type { ReconnectPolicy } from './reconnect-policy.ts'
import { Retries, type TurnOptions } from './retries.ts'
import { isFinal, mayFollow, type StreamedEvent } from './streamed-event.ts'

/** Access to the stream of a turn. */
export interface TurnSource {
  readonly sessionId: string
  /** Opens the stream at its beginning. Called again when the connection broke before the first event. */
  open(): Promise<Response | undefined>
  /** Opens the rest of the stream after an event; undefined when the oracle has none. */
  resume(after: string): Promise<Response | undefined>
  readonly policy: ReconnectPolicy
  readonly options: TurnOptions
}

/**
 * Yields a turn's events, each exactly once and in order, up to its final one, over as many connections as it takes.
 * Yields nothing when `open` finds nothing to read, and `data-resumed` only where events that were yielded no longer count.
 *
 * @throws ConnectionLostError (`connection_lost`) when it cannot be taken up again, InvalidEventError (`invalid_event`),
 * what `open` and `resume` throw, or the signal's reason
 */
export async function* followTurn(source: TurnSource): AsyncGenerator<StreamedEvent, void, undefined> {
  const { sessionId, policy, options } = source
  const retries = new Retries(sessionId, policy, options)
  let last: StreamedEvent | undefined
  for (;;) {
    let cause: unknown
    try {
      const response = last ? await source.resume(last.id) : await source.open()
      if (!response && !last) return
      if (!response) throw new ConnectionLostError(sessionId, noRest)
      for await (const item of readStream(response, policy.idleTimeoutMs, options.signal)) {
        options.signal?.throwIfAborted()
        if (!item && !last) return
        if (!item) throw new ConnectionLostError(sessionId, noRest)
        if (last && item.turnId !== last.turnId) throw new InvalidEventError('it continued with another turn')
        if (last && item.number <= last.number) continue
        if (last && !mayFollow(item, last.number)) break
        const isWhole = droppedAfter(item) >= (last?.number ?? 0)
        last = item
        retries.reset()
        if (!isWhole) yield item
        if (isFinal(item)) return
      }
      cause = new NetworkError(response.url, 'the stream ended before its turn')
    } catch (error) {
      options.signal?.throwIfAborted()
      if (!(error instanceof NetworkError) && !(last && mayPass(error))) throw error
      cause = error
    }
    await retries.failed(cause)
  }
}

/** Returns the number of the last event that counts still, where another process continues the turn; else none. */
const droppedAfter = ({ event }: StreamedEvent): number =>
  event.type === 'data-resumed' ? messageParts.resumed.parse(event.data).after : Number.NaN

const noRest = 'the oracle no longer has the rest of this turn'

/** Whether an answer to a request for the rest of a stream may be another one soon: the oracle restarts, or is busy. */
const mayPass = (error: unknown): boolean =>
  (error instanceof ProblemError || error instanceof UnexpectedResponseError) &&
  [429, 502, 503, 504].includes(error.status)
