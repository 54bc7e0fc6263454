/**
 * Reads a body as text, up to a limit.
 *
 * @param limit The maximum bytes.
 * @returns undefined when there are more
 */
export const readCapped = async (response: Response, limit: number): Promise<string | undefined> => {
  const decoder = new TextDecoder()
  let [text, length] = ['', 0]
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength
    if (length > limit) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
