import type { TurnEvent } from '@sibyl/plugin/host'
import type { StreamEvent, TurnStream } from './turn-stream.ts'

/** Length from which the pieces of a text are not joined any more, in characters. */
const maxJoined = 4_096

/** The events of a turn as they come, from its first one; pieces of one text that are there at once are one event. */
export async function* eventsOf(stream: TurnStream): AsyncGenerator<TurnEvent> {
  /** The number of the last event that was read. */
  let last = 0
  for (;;) {
    const ended = stream.ended
    let current: { readonly id: number; readonly event: StreamEvent } | undefined
    // Found by its number each time: another process may have continued the turn from an earlier event meanwhile.
    for (let position = nextOf(stream, last); position !== undefined; position = nextOf(stream, last)) {
      last = stream.numberOf(position)
      const next = { id: last, event: stream.eventAt(position) }
      const joined = current && joinedPieces(current.event, next.event)
      if (current && !joined) yield current as TurnEvent
      current = joined ? { id: next.id, event: joined } : next
    }
    if (current) yield current as TurnEvent
    if (ended) return
    if (nextOf(stream, last) === undefined && !stream.ended) await nextEvents(stream)
  }
}

/** Returns the index of the event after the one with a number; undefined if it has not come. */
const nextOf = (stream: TurnStream, last: number): number | undefined => {
  const index = stream.indexAfter(last)
  return index < stream.events.length ? index : undefined
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
