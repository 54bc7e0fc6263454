import type { HttpServer } from '../connection/mcp-server-address.ts'
import { rewriteMessages } from './absent-nulls.ts'

/** Dependencies of HTTP requests. */
export interface HttpFetchOptions {
  readonly server: HttpServer
  readonly headers: (() => Promise<Readonly<Record<string, string>>>) | undefined
  readonly maxMessageBytes: number
  /** Called for a message in a stream that is too large. */
  readonly onTooLarge: () => void
}

/** The message of the error that a body which is too large ends with. */
export const tooLarge = 'The message exceeds the size limit.'

/**
 * A fetch that puts the operator's headers on requests to the server's own origin and to no other, and ends bodies that
 * are larger than a message may be; in a stream of events each event counts for itself.
 */
export const createHttpFetch = ({ server, headers, maxMessageBytes, onTooLarge }: HttpFetchOptions) => {
  const { origin } = new URL(server.url)

  return async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const sent = new Headers(init.headers)
    if (new URL(url).origin === origin) {
      for (const [name, value] of Object.entries({ ...server.headers, ...(await headers?.()) })) {
        if (!sent.has(name)) sent.set(name, value)
      }
    }
    const response = await fetch(url, { ...init, headers: sent })
    if (!response.body) return response

    const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false
    const body = response.body.pipeThrough(isStream ? capEvents(maxMessageBytes, onTooLarge) : capBody(maxMessageBytes))
    const capped = new Response(body.pipeThrough(rewriteMessages(isStream)), {
      status: response.status,
      statusText: response.statusText,
      headers: sentOn(response),
    })
    Object.defineProperty(capped, 'url', { value: response.url })
    return capped
  }
}

/** The body that is handed on is decompressed, and its length no longer what the header says. */
const sentOn = (response: Response): Headers => {
  const headers = new Headers(response.headers)
  headers.delete('content-encoding')
  headers.delete('content-length')
  return headers
}

const capBody = (max: number): TransformStream<Uint8Array, Uint8Array> => {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > max) controller.error(new Error(tooLarge))
      else controller.enqueue(chunk)
    },
  })
}

const lineFeed = 10
const carriageReturn = 13

const capEvents = (max: number, onTooLarge: () => void): TransformStream<Uint8Array, Uint8Array> => {
  let inEvent = 0
  let inLine = 0
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        inEvent++
        if (byte === lineFeed) {
          if (inLine === 0) inEvent = 0
          inLine = 0
        } else if (byte !== carriageReturn) inLine++
        if (inEvent > max) {
          onTooLarge()
          controller.error(new Error(tooLarge))
          return
        }
      }
      controller.enqueue(chunk)
    },
  })
}
