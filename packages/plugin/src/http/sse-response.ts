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

/** Joins the frames that come in one turn of the event loop. */
async function* joined(frames: AsyncIterable<string>): AsyncGenerator<string> {
  const iterator = frames[Symbol.asyncIterator]()
  let next = iterator.next()
  for (;;) {
    const first = await next
    if (first.done) return
    let text = first.value
    let isWaiting = true
    const wait = new Promise<void>(resolve => setImmediate(resolve)).then(() => {
      isWaiting = false
    })
    while (isWaiting) {
      next = iterator.next()
      const more = await Promise.race([next, wait])
      if (!more || more.done) break
      text += more.value
    }
    yield text
  }
}
