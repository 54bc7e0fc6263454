import { type StreamedEvent, streamReader } from '@sibyl/testing'
import { keptEvents } from '../frame/take-turn.ts'

/** Where the process of a turn ends: at one of its events, at a commit of its database, or during one of its charges. */
export type Cut = { readonly event: number } | { readonly commit: number } | { readonly charge: number }

/** Whether an event ends a turn. */
export const isFinal = (event: StreamedEvent | undefined): boolean =>
  event !== undefined && ['finish', 'abort', 'error'].includes(event.type)

/** Reads a turn until its process ends, or it is over. */
export const readUntilCut = async (answer: Promise<Response>, cut: Cut): Promise<readonly StreamedEvent[]> => {
  const reader = await streamReader(answer).catch(() => undefined)
  try {
    for (let event = await reader?.next(); event; event = await reader?.next()) {
      if ('event' in cut && reader?.events.length === cut.event) break
    }
  } catch {
    // The connection ended with the process.
  }
  return [...(reader?.events ?? [])]
}

/** Returns what a reader has at the end. */
export const readOf = (events: readonly StreamedEvent[]) => {
  const kept = keptEvents(events)
  return {
    last: kept.at(-1),
    text: kept.map(({ delta }) => delta ?? '').join(''),
    /** The call that may have taken effect, if the turn asks about one. */
    question: kept.findLast(({ type }) => type === 'tool-approval-request'),
    inputs: new Map(
      kept.flatMap(({ type, toolCallId, input }) => (type === 'tool-input-available' ? [[toolCallId, input]] : [])),
    ),
  }
}
