import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'

/** Maximum length of an event, in characters. */
const maxBufferSize = 2_000_000

/** Reads server-sent events from a response, without reconnecting. */
export async function* readEventStream({ body }: Response): AsyncGenerator<EventSourceMessage> {
  const reader = body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ maxBufferSize }))
    .getReader()
  if (!reader) return
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    await reader.cancel().catch(() => {})
  }
}
