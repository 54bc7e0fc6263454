import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

/** Takes text until it is full, also the piece that fills it. */
export interface TextSink {
  /** Returns false once it is full. */
  write(text: string): boolean
  end(text: string): void
  /** Breaks the stream off. */
  fail(error: unknown): void
  /** Sets the callback for when it takes more. */
  onReady(callback: () => void): void
  /** Sets the callback for its end, also when the client disconnects. */
  onClose(callback: () => void): void
}

/** Where a response is written: a response of Node's server, which also needs the headers of every response, or none. */
export interface StreamTarget {
  readonly outgoing?: ServerResponse | undefined
  readonly answerHeaders?: Readonly<Record<string, string>>
}

/** The context of a request whose response is streamed. */
export interface StreamedRequest {
  readonly env: unknown
  get(name: 'answerHeaders'): Readonly<Record<string, string>>
}

/** Returns where the response of a request is written. */
export const streamTarget = (c: StreamedRequest): StreamTarget => {
  const { outgoing } = (c.env ?? {}) as { readonly outgoing?: ServerResponse }
  return outgoing && 'writeHead' in outgoing ? { outgoing, answerHeaders: c.get('answerHeaders') } : {}
}

/**
 * Streams text to a client: on Node's server straight into its response, which takes less CPU than a web
 * stream; elsewhere as a web stream.
 *
 * @param start Begins to write. Not called for a client that is gone or was answered.
 */
export const textStream = (
  { outgoing, answerHeaders }: StreamTarget,
  headers: Readonly<Record<string, string>>,
  start: (sink: TextSink) => void,
): Response => {
  if (!outgoing) return webStream(headers, start)
  if (!outgoing.destroyed && !outgoing.headersSent) {
    outgoing.writeHead(200, { ...answerHeaders, ...headers })
    start({
      write: text => outgoing.write(text),
      end: text => outgoing.end(text),
      fail: error => outgoing.destroy(error instanceof Error ? error : new Error('A stream failed.', { cause: error })),
      onReady: callback => outgoing.on('drain', callback),
      onClose: callback => outgoing.on('close', callback),
    })
  }
  // If Node's adapter was imported first, it does not see the mark until one of the response's properties was read.
  void RESPONSE_ALREADY_SENT.type
  return RESPONSE_ALREADY_SENT
}

const webStream = (headers: Readonly<Record<string, string>>, start: (sink: TextSink) => void): Response => {
  const encoder = new TextEncoder()
  let ready: () => void = () => {}
  let closed: () => void = () => {}
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string): boolean => {
          if (text !== '') controller.enqueue(encoder.encode(text))
          return (controller.desiredSize ?? 0) > 0
        }
        start({
          write,
          end(text) {
            write(text)
            controller.close()
            closed()
          },
          fail(error) {
            controller.error(error)
            closed()
          },
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
  return new Response(body, { headers })
}
