/** A request of an interrupted connection. */
export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly lastEventId: string | null
}

/**
 * Creates a `fetch` that interrupts its first response to `POST /chat`: after some events the connection is lost, as
 * when a phone leaves the network. Every other response stays complete.
 *
 * @param afterEvents The number of events before the interruption.
 * @param onRequest Called for every request.
 */
export const cuttingFetch = (afterEvents: number, onRequest: (request: SentRequest) => void): typeof fetch => {
  let cut = false
  return async (input, init) => {
    const { method, url, headers } = new Request(input, init)
    const { pathname } = new URL(url)
    onRequest({ method, path: pathname, lastEventId: headers.get('last-event-id') })
    const response = await fetch(input, init)
    if (cut || method !== 'POST' || pathname !== '/chat' || !response.ok || !response.body) return response
    cut = true
    return new Response(cutAfter(response.body, afterEvents), response)
  }
}

const cutAfter = (body: ReadableStream<Uint8Array>, events: number): ReadableStream<Uint8Array> => {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let buffer = ''
  let passed = 0
  return new ReadableStream(
    {
      async pull(controller) {
        while (passed < events) {
          const end = buffer.indexOf('\n\n') + 2
          if (end >= 2) {
            const frame = buffer.slice(0, end)
            buffer = buffer.slice(end)
            if (/^data:/m.test(frame)) passed += 1
            return controller.enqueue(encoder.encode(frame))
          }
          const { done, value } = await reader.read()
          if (done) break
          buffer += decoder.decode(value, { stream: true })
        }
        await reader.cancel()
        throw new TypeError('The connection was cut.')
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
