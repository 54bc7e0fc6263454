import { firstUnstoredNumber } from '@sibyl/protocol'
import { type StreamedEvent, streamReader, type TestActor } from '@sibyl/testing'

/** Events of a turn as a client saw them. */
export interface SeenTurn {
  /** The status of the answer; 0 when none came. */
  readonly status: number
  /** Of a problem answer. */
  readonly code?: string
  readonly events: readonly StreamedEvent[]
  /** The one event that ended it; undefined when the connection broke before. */
  readonly last?: StreamedEvent
  /** All its text. */
  readonly text: string
  /**
   * Events whose number is not the one after that of the event before; a final one that was not stored may follow any, as may the
   * first one after another process continued the turn.
   */
  readonly outOfOrder: number
}

const finalTypes = new Set(['finish', 'abort', 'error'])

/** Says something and reads the answer as far as it comes; never fails. */
export const takeTurn = async (
  actor: TestActor,
  message: {
    readonly sessionId: string
    readonly messageId: string
    readonly text: string
    /** Attached files, as parts of the AI SDK. */
    readonly files?: readonly object[]
  },
  hear: (event: StreamedEvent | 'acknowledged') => void = () => {},
): Promise<SeenTurn> => {
  const { sessionId, messageId, text, files = [] } = message
  const parts = [{ type: 'text', text }, ...files]
  const json = { id: sessionId, message: { id: messageId, role: 'user', parts } }
  let status = 0
  try {
    const response = await actor.request('/chat', { json })
    status = response.status
    if (status !== 200) return { ...seen(status, []), code: await codeOf(response) }
    hear('acknowledged')
    return await readTurn(response, hear)
  } catch {
    return seen(status, [])
  }
}

/** Reads a stream as far as it comes; never fails. */
export const readTurn = async (
  response: Response,
  hear: (event: StreamedEvent) => void = () => {},
): Promise<SeenTurn> => {
  const events: StreamedEvent[] = []
  try {
    const reader = await streamReader(response)
    for (let event = await reader.next(); event; event = await reader.next()) {
      events.push(event)
      hear(event)
    }
  } catch {
    // The connection broke: what came until then is what was seen.
  }
  return seen(response.status, events)
}

const codeOf = async (response: Response): Promise<string> => {
  const problem = (await response.json().catch(() => ({}))) as { code?: string }
  return problem.code ?? 'none'
}

const numberOf = (event: StreamedEvent): number => Number(event.eventId?.split(':')[1])

const mayFollow = (event: StreamedEvent, before: StreamedEvent): boolean =>
  numberOf(event) === numberOf(before) + 1 ||
  (event.type === 'data-resumed' && numberOf(event) > numberOf(before)) ||
  (finalTypes.has(event.type) && numberOf(event) >= firstUnstoredNumber)

/** Returns the events that a reader has at the end: it drops those that `data-resumed` names, and those that it has. */
export const keptEvents = (events: readonly StreamedEvent[]): readonly StreamedEvent[] => {
  let kept: StreamedEvent[] = []
  for (const event of events) {
    if (kept.some(({ eventId }) => eventId === event.eventId)) continue
    if (event.type === 'data-resumed') {
      const { after } = event.data as { readonly after: number }
      kept = kept.filter(one => numberOf(one) <= after)
    }
    kept.push(event)
  }
  return kept
}

const seen = (status: number, events: readonly StreamedEvent[]): SeenTurn => {
  const last = events.at(-1)
  return {
    status,
    events,
    ...(last && finalTypes.has(last.type) ? { last } : {}),
    text: keptEvents(events)
      .flatMap(event => (event.type === 'text-delta' ? [String(event.delta)] : []))
      .join(''),
    outOfOrder: events.filter((event, index) => index > 0 && !mayFollow(event, events[index - 1]!)).length,
  }
}
