import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { doneFrame, TurnCursor, type TurnStream } from './turn-stream.ts'

/** The headers of every chat stream. */
export const streamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  'x-vercel-ai-ui-message-stream': 'v1',
}

/** The interval of pings on an idle stream, in milliseconds. */
export const pingIntervalMs = 15_000

const pingFrame = ': ping\n\n'

/** Takes text until it is full, also the piece that fills it; `onReady` is called when it takes more, `onClose` when the reader is gone. */
interface Sink {
  write(text: string): boolean
  end(): void
  onReady(callback: () => void): void
  onClose(callback: () => void): void
}

/**
 * Copies a turn's events to a sink, piece by piece as it takes them, and ends it after the last: a slow reader holds one
 * piece, and the events are shared. A reader who has more
 * events than were stored before a crash gets the end alone.
 */
const follow = (log: TurnStream, after: number, sink: Sink): void => {
  const cursor = new TurnCursor(log, after)
  let blocked = false
  let closed = false
  const ping = setInterval(() => {
    if (!blocked) blocked = !sink.write(pingFrame)
  }, pingIntervalMs)
  const finish = () => {
    closed = true
    clearInterval(ping)
    stopListening()
  }
  const pump = () => {
    while (!blocked && !closed) {
      const text = cursor.next()
      if (log.ended && cursor.atEnd) {
        finish()
        sink.write(text + doneFrame)
        sink.end()
      } else if (text === '') return
      else blocked = !sink.write(text)
    }
  }
  const stopListening = log.listen(pump)
  sink.onReady(() => {
    blocked = false
    pump()
  })
  sink.onClose(finish)
  pump()
}

/**
 * Streams a turn straight into Node's response, one socket write for the events at hand; not to a client that is gone or
 * was answered.
 *
 * @param headers Beside those of a stream, which come first.
 */
export const writeTurnToNode = (
  log: TurnStream,
  after: number,
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string>>,
): Response => {
  if (outgoing.destroyed || outgoing.headersSent) return alreadySent()
  outgoing.writeHead(200, { ...headers, ...streamHeaders })
  follow(log, after, {
    write: text => outgoing.write(text),
    end: () => outgoing.end(),
    onReady: callback => outgoing.on('drain', callback),
    onClose: callback => outgoing.on('close', callback),
  })
  return alreadySent()
}

/**
 * Returns the response that Node's adapter does not write. If the adapter was imported first, `Response` is its own
 * class: it is written without reading the mark until one of its properties was read.
 */
const alreadySent = (): Response => {
  void RESPONSE_ALREADY_SENT.type
  return RESPONSE_ALREADY_SENT
}

/** Streams a turn as a web response, for hosts other than Node's server. */
export const turnResponse = (log: TurnStream, after: number): Response => {
  const encoder = new TextEncoder()
  let ready: () => void = () => {}
  let closed: () => void = () => {}
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        follow(log, after, {
          write(text) {
            controller.enqueue(encoder.encode(text))
            return (controller.desiredSize ?? 0) > 0
          },
          end: () => controller.close(),
          onReady: callback => {
            ready = callback
          },
          onClose: callback => {
            closed = callback
          },
        })
      },
      pull: () => ready(),
      cancel: () => closed(),
    },
    { highWaterMark: 65_536, size: chunk => chunk?.byteLength ?? 0 },
  )
  return new Response(body, { headers: streamHeaders })
}
