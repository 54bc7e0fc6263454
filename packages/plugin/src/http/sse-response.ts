const pingMs = 15_000

/**
 * Returns a response that streams frames as server-sent events, with a comment every 15 s so that proxies keep an idle stream open.
 * Frames that come in one turn of the event loop are sent as one chunk.
 *
 * @param onCancel Called when the client disconnects.
 */
export const sseResponse = (frames: AsyncIterable<string>, onCancel: () => void): Response => {
  const encoder = new TextEncoder()
  const chunks = joined(frames)
  let ping: NodeJS.Timeout | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      ping = setInterval(() => controller.enqueue(encoder.encode(': ping\n\n')), pingMs)
    },
    async pull(controller) {
      try {
        const { done, value } = await chunks.next()
        if (!done) return controller.enqueue(encoder.encode(value))
        clearInterval(ping)
        controller.close()
      } catch (error) {
        clearInterval(ping)
        throw error
      }
    },
    cancel() {
      clearInterval(ping)
      onCancel()
    },
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  })
}

/** Length at which joined frames are sent, so that many frames in memory do not block the event loop. */
const maxJoined = 32_768

/** Joins the frames that come in one turn of the event loop. */
async function* joined(frames: AsyncIterable<string>): AsyncGenerator<string> {
  const iterator = frames[Symbol.asyncIterator]()
  let next = iterator.next()
  for (;;) {
    const first = await next
    if (first.done) return
    let text = first.value
    const wait = new Promise<undefined>(resolve => setImmediate(resolve, undefined))
    next = iterator.next()
    while (text.length < maxJoined) {
      const more = await Promise.race([next, wait])
      if (!more || more.done) break
      text += more.value
      next = iterator.next()
    }
    yield text
  }
}
