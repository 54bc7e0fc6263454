import { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { ToolFailure } from '@sibyl/plugin'

/** From there on something is a bomb and not a page: no text is compressed by so much. */
const largestRatio = 200

/**
 * Undoes the compression of a body, chunk by chunk, and no further than wanted.
 *
 * @param encoding what its `Content-Encoding` says
 * @param isComplete whether the body was read to its end
 * @param maxBytes how much of it is wanted
 * @throws ToolFailure where it is broken, compressed in another way, more than once, or so strongly that it is meant to harm
 */
export const decompress = async (
  body: Uint8Array,
  encoding: string | null,
  isComplete: boolean,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly isComplete: boolean }> => {
  const name = (encoding ?? '').trim().toLowerCase()
  if (name === '' || name === 'identity') return { bytes: body, isComplete }
  const stream = openingOf(name, body)
  if (!stream) throw new ToolFailure('The page is compressed in a way that is not read.')
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of Readable.from([body], { signal }).pipe(stream) as AsyncIterable<Uint8Array>) {
      length += chunk.length
      if (length > maxBytes) {
        if (length > stream.bytesWritten * largestRatio) break
        chunks.push(chunk.subarray(0, chunk.length - (length - maxBytes)))
        return { bytes: Buffer.concat(chunks), isComplete: false }
      }
      chunks.push(chunk)
    }
  } catch (error) {
    signal.throwIfAborted()
    if (isComplete || length === 0) throw new ToolFailure('The page is compressed, and broken.', { cause: error })
  } finally {
    stream.destroy()
  }
  if (length > maxBytes) throw new ToolFailure('The page is compressed so strongly that it was not unpacked.')
  return { bytes: Buffer.concat(chunks), isComplete }
}

const openingOf = (name: string, body: Uint8Array) => {
  const chunkSize = 65_536
  // Some servers leave out the two bytes that zlib begins with.
  if (name === 'deflate')
    return ((body[0] ?? 0) & 0x0f) === 8 ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize })
  if (name === 'br') return createBrotliDecompress({ chunkSize })
  return name === 'gzip' || name === 'x-gzip' ? createGunzip({ chunkSize }) : undefined
}
