import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { NetworkError, ResponseTooLargeError } from '../errors/request-errors.ts'
import { readStreamedEvent, type StreamedEvent } from './streamed-event.ts'

/** The most characters of one event: tool outputs travel in one. */
const maxEventCharacters = 16_000_000

/**
 * Reads the events of one connection, until it ends or the reader stops reading. The closing `[DONE]` is `undefined`.
 *
 * @param idleTimeoutMs Milliseconds without a byte after which the connection counts as lost.
 * @throws NetworkError (`network_failed`), InvalidEventError, ResponseTooLargeError, or the signal's reason
 */
export async function* readStream(
  response: Response,
  idleTimeoutMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamedEvent | undefined, void, undefined> {
  const reader = response.body?.getReader()
  if (!reader) return
  const decoder = new TextDecoder()
  const events: EventSourceMessage[] = []
  const parser = createParser({
    maxBufferSize: maxEventCharacters,
    onEvent: event => events.push(event),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded')
        throw new ResponseTooLargeError('An event of the stream', maxEventCharacters)
    },
  })
  const nextChunk = async () => {
    const silence = Promise.withResolvers<never>()
    const timer = setTimeout(() => silence.reject(new Error('the connection stalled')), idleTimeoutMs)
    try {
      return await Promise.race([reader.read(), silence.promise])
    } catch (error) {
      signal?.throwIfAborted()
      const reason = error instanceof Error ? error.message : 'the stream was interrupted'
      throw new NetworkError(response.url, reason, { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }
  try {
    for (;;) {
      const { done, value } = await nextChunk()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      for (const event of events.splice(0)) yield readStreamedEvent(event)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
