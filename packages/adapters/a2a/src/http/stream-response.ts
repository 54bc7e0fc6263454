const pingMs = 15_000

/**
 * Streams JSON values as server-sent events, with a comment every 15 s so that proxies keep an idle stream open. A client that
 * disconnects ends the reading, not what is read.
 */
export const streamResponse = (values: AsyncIterable<object>): Response => {
  const encoder = new TextEncoder()
  const iterator = values[Symbol.asyncIterator]()
  let ping: NodeJS.Timeout | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      ping = setInterval(() => controller.enqueue(encoder.encode(': ping\n\n')), pingMs)
    },
    async pull(controller) {
      try {
        const { done, value } = await iterator.next()
        if (!done) return controller.enqueue(encoder.encode(`data: ${JSON.stringify(value)}\n\n`))
        clearInterval(ping)
        controller.close()
      } catch (error) {
        clearInterval(ping)
        throw error
      }
    },
    cancel() {
      clearInterval(ping)
      void iterator.return?.()
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
