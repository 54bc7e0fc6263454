/**
 * Reads an answer's body as text.
 *
 * @returns undefined once it is longer than `mostBytes`; the rest is left
 */
export const readCapped = async (response: Response, mostBytes: number): Promise<string | undefined> => {
  if (response.body === null) return ''
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body) {
    size += part.byteLength
    if (size > mostBytes) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
