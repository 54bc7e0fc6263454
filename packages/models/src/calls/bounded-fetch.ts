import { ModelCallFailed } from '../failures/model-call-failed.ts'

/** Maximum size of a response of a provider, in bytes after decompression. */
export interface AnswerBounds {
  /** All of it. @default 64000000 */
  readonly answerBytes?: number
  /** One line, which is one event of a stream. @default 4000000 */
  readonly lineBytes?: number
}

/** The most bytes of a refusal that are read; the rest is left. */
const maxRefusalBytes = 64_000

/**
 * Maximum wait for the rest of an error response, in milliseconds: one that cannot be decompressed never ends on Node
 * 22.
 */
const maxRefusalMs = 2_000

const newline = 10

/**
 * `fetch` for a provider of language models: it follows no redirect, so that conversation and key go nowhere else; reads
 * a little of a refusal only; and breaks off an answer that grows too large, also one that was small before it was
 * decompressed.
 *
 * @throws ModelCallFailed `turn_too_large` while the body is read
 */
export const boundedFetch =
  ({ answerBytes = 64_000_000, lineBytes = 4_000_000 }: AnswerBounds = {}): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' })
    const { status, headers, body } = response
    if (body === null) return response
    const bounded = response.ok ? boundBody(body, answerBytes, lineBytes) : await readStart(body)
    return new Response(bounded, { status, headers })
  }

const boundBody = (
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  answerBytes: number,
  lineBytes: number,
): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const reader = body.getReader()
  let all = 0
  let line = 0
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) return controller.close()
      all += value.length
      const lastEnd = value.lastIndexOf(newline)
      line += lastEnd < 0 ? value.length : value.indexOf(newline)
      const tooLong = line > lineBytes
      if (lastEnd >= 0) line = value.length - lastEnd - 1
      if (all > answerBytes || tooLong) {
        controller.error(new ModelCallFailed('turn_too_large'))
        await reader.cancel()
      } else controller.enqueue(value)
    },
    cancel: reason => reader.cancel(reason),
  })
}

/** Returns the part of an error response before its end, a connection error or the limits. */
const readStart = async (body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> => {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), maxRefusalMs)
  })
  try {
    while (bytes < maxRefusalBytes) {
      const read = await Promise.race([reader.read(), late])
      if (!read?.value) break
      bytes += read.value.length
      chunks.push(read.value)
    }
  } catch {
    // The status says enough.
  }
  clearTimeout(timer)
  reader.cancel().catch(() => {})
  return Buffer.concat(chunks).subarray(0, maxRefusalBytes)
}
