import { type StreamedRequest, streamTarget, type TextSink, textStream } from './text-stream.ts'

const pingMs = 15_000

const sseHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/**
 * Returns a response that streams frames as server-sent events, with a comment every 15 s so that proxies keep an idle stream open.
 * Frames that come in one turn of the event loop are sent as one chunk.
 *
 * @param onCancel Called when the client disconnects before the end.
 * @param mediaType That of frames without comments, such as lines of JSON. @default 'text/event-stream'
 */
export const sseResponse = (
  c: StreamedRequest,
  frames: AsyncIterable<string>,
  onCancel: () => void,
  mediaType?: string,
): Response => {
  const headers = mediaType === undefined ? sseHeaders : { ...sseHeaders, 'content-type': mediaType }
  return textStream(streamTarget(c), headers, sink => void follow(frames, sink, onCancel, mediaType === undefined))
}

/** Length at which joined frames are sent, so that many frames in memory do not block the event loop. */
const maxJoined = 32_768

/** Copies frames to a sink as it takes them. */
const follow = async (
  frames: AsyncIterable<string>,
  sink: TextSink,
  onCancel: () => void,
  pings: boolean,
): Promise<void> => {
  let joined = ''
  let isFull = false
  let isOver = false
  let proceed: () => void = () => {}
  const ping = setInterval(() => {
    if (pings && !isFull) isFull = !sink.write(': ping\n\n')
  }, pingMs)
  const finish = () => {
    isOver = true
    clearInterval(ping)
  }
  const flush = () => {
    if (joined === '' || isOver) return
    isFull = !sink.write(joined)
    joined = ''
    proceed()
  }
  sink.onReady(() => {
    isFull = false
    proceed()
  })
  sink.onClose(() => {
    if (isOver) return
    finish()
    proceed()
    onCancel()
  })
  try {
    for await (const frame of frames) {
      if (isOver) return
      if (joined === '') setImmediate(flush)
      joined += frame
      while ((isFull || joined.length >= maxJoined) && !isOver) {
        await new Promise<void>(resolve => {
          proceed = resolve
        })
      }
    }
    if (isOver) return
    finish()
    sink.end(joined)
  } catch (error) {
    if (isOver) return
    flush()
    finish()
    sink.fail(error)
  }
}
