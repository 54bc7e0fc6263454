/** How much of a content tells whether it is text. */
const looked = 65_536

/**
 * The text of a content: in UTF-8, in UTF-16 with its mark at the beginning, or in Windows-1252 where the media type says that
 * it is text.
 *
 * @param isCut Whether the content may end in the middle of a character.
 * @returns undefined where it is none
 */
export const readText = (content: Uint8Array, mediaType: string, isCut = false): string | undefined => {
  const [first, second] = content
  if (first === 0xff && second === 0xfe) return decoded('utf-16le', content, isCut)
  if (first === 0xfe && second === 0xff) return decoded('utf-16be', content, isCut)
  if (content.subarray(0, looked).includes(0)) return undefined
  const text = decoded('utf-8', content, isCut)
  if (text !== undefined) return text.includes('\0') ? undefined : text
  return mediaType.startsWith('text/') ? decoded('windows-1252', content, isCut) : undefined
}

const decoded = (encoding: string, content: Uint8Array, isCut: boolean): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content, { stream: isCut })
  } catch {
    return undefined
  }
}
