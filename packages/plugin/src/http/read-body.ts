import { Readable } from 'node:stream'
import { defineErrors } from '../errors/define-errors.ts'
import { withTimeout } from '../time/with-timeout.ts'

export const bodyErrors = defineErrors({
  response_too_large: { status: 502, message: 'The response has more than {maxBytes} bytes. Request less.' },
  response_not_json: { status: 502, message: 'The response is not JSON. Check the address of the service.' },
})

/** A response, or its body as a stream of bytes. */
export type BodySource = Pick<Response, 'body'> | ReadableStream<Uint8Array> | Readable

/** Limits of reading a body. */
export interface ReadBodyOptions {
  /** Maximum bytes, counted after decompression. */
  readonly maxBytes: number
  /** `truncate` returns the first `maxBytes` of a longer body. @default 'fail' */
  readonly onTooLarge?: 'fail' | 'truncate'
  /** Timeout until the end of the body, in milliseconds. @default none */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads a body up to a limit; the rest is discarded, and the connection is closed.
 *
 * @throws `response_too_large`; `timed_out` after `timeoutMs`; the reason of the signal; the error of a broken
 * connection
 */
export const readBody = async (source: BodySource, options: ReadBodyOptions): Promise<Uint8Array> => {
  const stream = 'body' in source ? source.body : source
  if (stream === null) return new Uint8Array()
  const web = stream instanceof Readable ? (Readable.toWeb(stream) as ReadableStream<Uint8Array>) : stream
  const reader = web.getReader()
  const { timeoutMs, signal } = options
  try {
    if (timeoutMs === undefined && signal === undefined) return await readAll(reader, options)
    return await withTimeout(() => readAll(reader, options), {
      timeoutMs: timeoutMs ?? Number.POSITIVE_INFINITY,
      signal,
    })
  } catch (error) {
    reader.cancel(error).catch(() => {})
    throw error
  }
}

/** Reads a body as UTF-8 text, without a byte order mark. Throws like `readBody`. */
export const readText = async (source: BodySource, options: ReadBodyOptions): Promise<string> =>
  new TextDecoder().decode(await readBody(source, options))

/** Reads a body as JSON. Throws like `readBody`, and `response_not_json`. */
export const readJson = async (source: BodySource, options: ReadBodyOptions): Promise<unknown> => {
  const text = await readText(source, options)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw bodyErrors.response_not_json({ cause })
  }
}

const readAll = async (
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { maxBytes, onTooLarge = 'fail' }: ReadBodyOptions,
): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks, length)
    length += value.byteLength
    chunks.push(value)
    if (length <= maxBytes) continue
    if (onTooLarge === 'fail') throw bodyErrors.response_too_large({ maxBytes })
    reader.cancel().catch(() => {})
    return Buffer.concat(chunks, maxBytes)
  }
}
