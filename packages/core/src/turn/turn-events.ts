import type { TurnEvent } from '@sibyl/plugin'
import type { StreamEvent, TurnStream } from './turn-stream.ts'

/** The events of a turn as they come, from its first one. */
export async function* eventsOf(stream: TurnStream): AsyncGenerator<TurnEvent> {
  let position = 0
  for (;;) {
    const ended = stream.ended
    while (position < stream.events.length) {
      const { event, last } = joinedEvent(stream, position)
      position = last + 1
      yield { id: stream.numberOf(last), event: event as TurnEvent['event'] }
    }
    if (ended) return
    if (position === stream.events.length && !stream.ended) await nextEvents(stream)
  }
}

/** Length at which joined pieces of a text are given, in characters. */
const maxJoined = 4_096

/** Returns the event at an index; pieces of one text that are there already are one event. @returns also the index of the last one */
const joinedEvent = (stream: TurnStream, index: number): { readonly event: StreamEvent; readonly last: number } => {
  const event = stream.eventAt(index)
  let last = index
  if (!isPiece(event)) return { event, last }
  let text = event.delta
  while (text.length < maxJoined && last + 1 < stream.events.length) {
    const next = stream.eventAt(last + 1)
    if (!isPiece(next) || next.id !== event.id) break
    text += next.delta
    last += 1
  }
  return { event: { ...event, delta: text }, last }
}

const isPiece = (event: StreamEvent): event is StreamEvent & { readonly delta: string } =>
  event.type === 'text-delta' && typeof event.delta === 'string' && event.providerMetadata === undefined

const nextEvents = (stream: TurnStream): Promise<void> =>
  new Promise(resolve => {
    const stop = stream.listen(() => {
      stop()
      resolve()
    })
  })
