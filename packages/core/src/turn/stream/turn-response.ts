import { type StreamTarget, type TextSink, textStream } from '@sibyl/plugin'
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

/**
 * Streams a turn, one write for the events at hand.
 *
 * @param after The number of the last event that the client has read; 0 for none.
 */
export const turnResponse = (log: TurnStream, after: number, target: StreamTarget = {}): Response =>
  textStream(target, streamHeaders, sink => follow(log, after, sink))

/**
 * Copies a turn's events to a sink, piece by piece as it takes them, and ends it after the last: a slow reader holds one
 * piece, and the events are shared. A reader who has more
 * events than were stored before a crash gets the end alone.
 */
const follow = (log: TurnStream, after: number, sink: TextSink): void => {
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
        sink.end(text + doneFrame)
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
