import { ResponseTooLargeError } from '@sibyl/client'

/** Fetches answers whose bodies fail beyond a length. @param limit The most bytes of a body. */
export const cappedFetch =
  (fetch: typeof globalThis.fetch, limit: number): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    if (!response.body) return response
    const { status, statusText, headers, url } = response
    const body = response.body.pipeThrough(new ByteLimit(limit))
    const capped = new Response(body, { status, statusText, headers })
    Object.defineProperty(capped, 'url', { value: url })
    return capped
  }

/** Passes bytes on, and fails once there are more than a limit. */
class ByteLimit extends TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  constructor(limit: number) {
    let length = 0
    super({
      transform(chunk, controller) {
        length += chunk.byteLength
        if (length > limit) controller.error(new ResponseTooLargeError('The answer of the registry', limit))
        else controller.enqueue(chunk)
      },
    })
  }
}
