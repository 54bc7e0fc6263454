/** Base64 without blanks or percent-encoding, as browsers write it. */
const plainBase64 = /^data:[^,]{0,1000};base64,(?=[A-Za-z0-9+/])/i

/**
 * Returns the content of a data: URL, as the Fetch standard reads it.
 *
 * @throws TypeError where it cannot be read
 */
export const readDataUrl = async (url: string): Promise<Uint8Array> => {
  const [head] = plainBase64.exec(url) ?? []
  if (head !== undefined) {
    const text = url.slice(head.length)
    const content = Buffer.from(text, 'base64')
    // Node skips invalid base64, so the result may be shorter.
    const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
    if (content.length === (text.length / 4) * 3 - padding) return content
  }
  const answer = await fetch(url)
  return new Uint8Array(await answer.arrayBuffer())
}
