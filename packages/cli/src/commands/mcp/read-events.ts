import { EventSourceParserStream } from 'eventsource-parser/stream'

/** Maximum length of an event, in characters. */
const maxBufferSize = 16_000_000

/** Reads the data of server-sent events; comments and empty events are skipped. */
export async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream({ maxBufferSize }))
  for await (const { data } of events) if (data !== '') yield data
}
