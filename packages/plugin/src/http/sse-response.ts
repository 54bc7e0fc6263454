const pingMs = 15_000

/**
 * Returns a response that streams frames as server-sent events, with a comment every 15 s so that proxies keep an idle stream open.
 *
 * @param onCancel Called when the client disconnects.
 */
export const sseResponse = (frames: AsyncIterable<string>, onCancel: () => void): Response => {
  const encoder = new TextEncoder()
  const iterator = frames[Symbol.asyncIterator]()
  let ping: NodeJS.Timeout | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      ping = setInterval(() => controller.enqueue(encoder.encode(': ping\n\n')), pingMs)
    },
    async pull(controller) {
      try {
        const { done, value } = await iterator.next()
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
