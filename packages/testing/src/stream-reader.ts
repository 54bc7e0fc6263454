import type { ReadStream, StreamedEvent } from './read-stream.ts'

/** Reads a chat stream event by event. */
export interface StreamReader {
  /** The events read so far. */
  readonly events: readonly StreamedEvent[]
  /** The next event; undefined after `[DONE]` or the end. */
  next(): Promise<StreamedEvent | undefined>
  /** Reads up to the first event that fits. Fails when the stream ends before. */
  until(fits: string | ((event: StreamedEvent) => boolean)): Promise<StreamedEvent>
  /** Reads to the end; gives all events, those read before included. */
  rest(): Promise<ReadStream>
  /** Goes away in the middle. */
  leave(): Promise<void>
}

/** Opens a chat stream of server-sent events. Fails on an answer that is not one, with its body. */
export const streamReader = async (answer: Response | Promise<Response>): Promise<StreamReader> => {
  const response = await answer
  if (!response.headers.get('content-type')?.startsWith('text/event-stream') || response.body === null) {
    throw new Error(`Not a stream: ${response.status} ${await response.text()}`)
  }
  const reader = response.body
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>
  const events: StreamedEvent[] = []
  let buffer = ''
  let done = false
  const next = async (): Promise<StreamedEvent | undefined> => {
    for (;;) {
      const end = buffer.indexOf('\n\n')
      if (end < 0) {
        const read = await reader.read()
        if (read.done) return undefined
        buffer += read.value
        continue
      }
      const frame = buffer.slice(0, end)
      buffer = buffer.slice(end + 2)
      const data = /^data: (.*)$/m.exec(frame)?.[1]
      if (data === undefined) continue
      if (data === '[DONE]') {
        done = true
        return undefined
      }
      const id = /^id: (.*)$/m.exec(frame)?.[1]
      const event: StreamedEvent = { ...JSON.parse(data), eventId: id }
      events.push(event)
      return event
    }
  }
  return {
    events,
    next,
    async until(fits) {
      const matches = typeof fits === 'string' ? (event: StreamedEvent) => event.type === fits : fits
      for (let event = await next(); event; event = await next()) if (matches(event)) return event
      throw new Error(`The stream ended before: ${events.map(event => event.type).join(' ')}`)
    },
    async rest() {
      while (await next());
      const text = events.flatMap(event => (event.type === 'text-delta' ? [String(event.delta)] : [])).join('')
      return { events, text, done, last: events.at(-1) }
    },
    leave: () => reader.cancel(),
  }
}
