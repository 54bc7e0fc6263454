import type { TurnEvent } from '@sibyl/plugin/host'
import type { StreamEvent, TurnStream } from './turn-stream.ts'

/** Length from which the pieces of a text are not joined any more, in characters. */
const maxJoined = 4_096

/** The events of a turn as they come, from its first one; pieces of one text that are there at once are one event. */
export async function* eventsOf(stream: TurnStream): AsyncGenerator<TurnEvent> {
  let position = 0
  for (;;) {
    const ended = stream.ended
    // Another process continued the turn from an earlier event.
    position = Math.min(position, stream.events.length)
    let current: { readonly id: number; readonly event: StreamEvent } | undefined
    for (; position < stream.events.length; position += 1) {
      const next = { id: stream.numberOf(position), event: stream.eventAt(position) }
      const joined = current && joinedPieces(current.event, next.event)
      if (current && !joined) yield current as TurnEvent
      current = joined ? { id: next.id, event: joined } : next
    }
    if (current) yield current as TurnEvent
    if (ended) return
    if (position === stream.events.length && !stream.ended) await nextEvents(stream)
  }
}

/** Returns two pieces of one text as one event; undefined where they are not such pieces, or the first is long. */
const joinedPieces = (first: StreamEvent, second: StreamEvent): StreamEvent | undefined =>
  isPiece(first) && isPiece(second) && first.id === second.id && first.delta.length < maxJoined
    ? { ...first, delta: first.delta + second.delta }
    : undefined

const isPiece = (event: StreamEvent): event is StreamEvent & { readonly delta: string } =>
  event.type === 'text-delta' && typeof event.delta === 'string' && event.providerMetadata === undefined

const nextEvents = (stream: TurnStream): Promise<void> =>
  new Promise(resolve => {
    const stop = stream.listen(() => {
      stop()
      resolve()
    })
  })
