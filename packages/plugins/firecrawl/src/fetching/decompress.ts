import { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { ToolFailure } from '@sibyl/plugin'

/** Compression ratio from which content is treated as a decompression bomb; text never reaches it. */
const largestRatio = 200

/**
 * Decompresses a body, chunk by chunk, up to a limit.
 *
 * @param encoding its `Content-Encoding`
 * @param isComplete whether the body was received completely
 * @param maxBytes limit of the result
 * @throws ToolFailure if it is corrupt, uses an unsupported or repeated encoding, or is a decompression bomb
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
  if (!stream) throw new ToolFailure('The compression of the page is not supported.')
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
    if (isComplete || length === 0)
      throw new ToolFailure('The compressed content of the page is corrupt.', { cause: error })
  } finally {
    stream.destroy()
  }
  if (length > maxBytes)
    throw new ToolFailure('The compression ratio of the page is too high, so it was not decompressed.')
  return { bytes: Buffer.concat(chunks), isComplete }
}

const openingOf = (name: string, body: Uint8Array) => {
  const chunkSize = 65_536
  // Some servers omit the two header bytes of zlib.
  if (name === 'deflate')
    return ((body[0] ?? 0) & 0x0f) === 8 ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize })
  if (name === 'br') return createBrotliDecompress({ chunkSize })
  return name === 'gzip' || name === 'x-gzip' ? createGunzip({ chunkSize }) : undefined
}
