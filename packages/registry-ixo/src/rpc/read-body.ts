/** Bytes of the longest answer that is read: an entity has some kilobytes, a block's transaction some more. */
const longestAnswer = 2_000_000

/**
 * Reads a body as UTF-8.
 *
 * @returns undefined when it is longer than 2 MB
 */
export const readBody = async (response: Response): Promise<string | undefined> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > longestAnswer) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
